import { byteOrderMark } from "./byte-order-mark.js";
import { detectEncoding } from "./detect-encoding.js";
import { EncodingError } from "./encoding-error.js";
import { looksBinary } from "./looks-binary.js";
import type { TextFormat } from "./text-format.js";
import { decodeUtf8, encodeUtf8 } from "./utf-8.js";
import { isWellFormed } from "./well-formed.js";

export interface DecodedText {
  readonly text: string;
  readonly format: TextFormat;
}

export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  if (looksBinary(bytes)) return undefined;
  const format = detectEncoding(bytes);
  if (format === undefined) return undefined;
  const text = decodeUtf8(bytes.subarray(byteOrderMark(format).length));
  return text === undefined ? undefined : { text, format };
}

export function encodeText(text: string, format: TextFormat): Uint8Array {
  if (!isWellFormed(text)) throw new EncodingError({ character: "", index: 0, encoding: format.encoding });
  const mark = byteOrderMark(format);
  const body = encodeUtf8(text);
  if (mark.length === 0) return body;
  const bytes = new Uint8Array(mark.length + body.length);
  bytes.set(mark);
  bytes.set(body, mark.length);
  return bytes;
}
