import { isWellFormed } from "../well-formed.js";
import { byteOrderMark } from "./byte-order-mark.js";
import { type DecodedPrefix, decodeExactly } from "./iconv-codec.js";
import { looksControlled } from "./looks-binary.js";
import type { TextFormat } from "./text-format.js";
import { completeUtf8Length, decodeUtf8 } from "./utf-8.js";

/**
 * The text of the bytes in a given format, or undefined when they are no such text. With `partial` the bytes
 * are only the start of something longer, and an unfinished character at their end is left out.
 */
export function decodeAs(bytes: Uint8Array, format: TextFormat, partial = false): string | undefined {
  const body = bytes.subarray(byteOrderMark(format).length);
  const decoded = decodePrefix(body, format.encoding);
  if (decoded === undefined || (!partial && decoded.length < body.length)) return undefined;
  if (format.encoding !== "utf-8" && looksControlled(decoded.text)) return undefined;
  return decoded.text;
}

/** Strictly decodes every complete character. Undefined when the bytes are invalid before their end. */
export function decodePrefix(bytes: Uint8Array, encoding: string): DecodedPrefix | undefined {
  if (encoding !== "utf-8") {
    const decoded = decodeExactly(bytes, encoding);
    return decoded !== undefined && isWellFormed(decoded.text) ? decoded : undefined;
  }
  const length = completeUtf8Length(bytes);
  const text = decodeUtf8(length === bytes.length ? bytes : bytes.subarray(0, length));
  return text === undefined ? undefined : { text, length };
}
