import { byteOrderMark } from "./byte-order-mark.js";
import { concatBytes } from "./concat-bytes.js";
import { decodePrefix } from "./decode-as.js";
import { DecodingError } from "./decoding-error.js";
import type { TextFormat } from "./text-format.js";

export interface TextStreamDecoder {
  /**
   * Returns the characters that the chunk completes. Throws DecodingError on bytes that are invalid in the
   * format.
   */
  decode(chunk: Uint8Array): string;
  /** Throws DecodingError if the data ended inside a character. There is no text left to return. */
  end(): string;
}

/** Decodes large data chunk by chunk in a known format. The byte order mark is not part of the text. */
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
      // Copy, because the caller may reuse the chunk's memory; `slice` of a Node Buffer does not copy.
      unread = Uint8Array.from(bytes.subarray(decoded.length));
      return decoded.text;
    },
    end() {
      if (unread.length > 0) throw new DecodingError(encoding);
      return "";
    },
  };
}
