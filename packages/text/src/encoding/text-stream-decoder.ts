import { byteOrderMark } from "./byte-order-mark.js";
import { concatBytes } from "./concat-bytes.js";
import { decodePrefix } from "./decode-as.js";
import { DecodingError } from "./decoding-error.js";
import type { TextFormat } from "./text-format.js";

export interface TextStreamDecoder {
  /** The characters that the chunk completes. Throws a DecodingError on bytes the format does not allow. */
  decode(chunk: Uint8Array): string;
  /** Throws a DecodingError when the data stopped inside a character; there is no text left to return. */
  end(): string;
}

/** Reads big data chunk by chunk in a known format. The byte order mark is not part of the text. */
export function createTextStreamDecoder(format: TextFormat): TextStreamDecoder {
  const { encoding } = format;
  let markLeft = byteOrderMark(format).length;
  let unread: Uint8Array = new Uint8Array(0);
  return {
    decode(chunk) {
      const body = chunk.subarray(markLeft);
      markLeft = Math.max(0, markLeft - chunk.length);
      const bytes = unread.length === 0 ? body : concatBytes(unread, body);
      const decoded = decodePrefix(bytes, encoding);
      if (decoded === undefined) throw new DecodingError(encoding);
      // A copy, since the caller may reuse the memory of the chunk; `slice` of a Node Buffer is none.
      unread = Uint8Array.from(bytes.subarray(decoded.length));
      return decoded.text;
    },
    end() {
      if (unread.length > 0) throw new DecodingError(encoding);
      return "";
    },
  };
}
