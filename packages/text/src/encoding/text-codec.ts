import { cutBefore } from "../cut-point.js";
import { isWellFormed } from "../well-formed.js";
import { byteOrderMark } from "./byte-order-mark.js";
import { concatBytes } from "./concat-bytes.js";
import { decodeAs } from "./decode-as.js";
import { candidateFormats } from "./detect-encoding.js";
import { EncodingError } from "./encoding-error.js";
import { encodeExactly } from "./iconv-codec.js";
import type { TextFormat } from "./text-format.js";
import { encodeUtf8 } from "./utf-8.js";

export interface DecodedText {
  readonly text: string;
  readonly format: TextFormat;
}

/**
 * Undefined means: not text, or text that could not be written back. The law is that
 * `encodeText(text, format)` gives exactly the bytes that were decoded.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  for (const format of candidateFormats(bytes)) {
    const text = decodeAs(bytes, format);
    if (text !== undefined) return { text, format };
  }
  return undefined;
}

/** Strict: a character that the encoding cannot hold throws an EncodingError; "?" never stands in for it. */
export function encodeText(text: string, format: TextFormat): Uint8Array {
  const { encoding } = format;
  if (!isWellFormed(text)) throw unencodable(text, text.search(/\p{Cs}/u), encoding);
  const mark = byteOrderMark(format);
  const body = encoding === "utf-8" ? encodeUtf8(text) : encodeBody(text, encoding);
  return mark.length === 0 ? body : concatBytes(mark, body);
}

function encodeBody(text: string, encoding: string): Uint8Array {
  const { bytes, failedAt } = encodeExactly(text, encoding);
  if (failedAt !== -1) throw unencodable(text, cutBefore(text, failedAt), encoding);
  return bytes;
}

function unencodable(text: string, index: number, encoding: string): EncodingError {
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  return new EncodingError({ character, index, encoding });
}
