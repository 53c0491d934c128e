import { markedFormats } from "./byte-order-mark.js";
import type { TextFormat } from "./text-format.js";
import { decodeUtf8 } from "./utf-8.js";

export interface DetectEncodingOptions {
  /** The sample is only the start of the data, so its last character may be incomplete. */
  readonly partial?: boolean;
}

export function detectEncoding(
  sample: Uint8Array,
  _options: DetectEncodingOptions = {},
): TextFormat | undefined {
  const marked = markedFormats(sample)[0];
  if (marked !== undefined) return marked;
  if (decodeUtf8(sample) !== undefined) return { encoding: "utf-8", bom: false };
  return { encoding: "windows-1252", bom: false };
}
