import { markedFormats } from "./byte-order-mark.js";
import { decodeAs } from "./decode-as.js";
import { detectLegacy } from "./detect-legacy.js";
import { hasBinaryBytes } from "./looks-binary.js";
import type { TextFormat } from "./text-format.js";
import { unmarkedUtf16 } from "./unmarked-utf-16.js";

export interface DetectEncodingOptions {
  /** The sample is only the start of the data, so its last character may be cut off. Default false. */
  readonly partial?: boolean | undefined;
}

/** The format of the sample, or undefined when it is not text. 64 KiB are plenty. */
export function detectEncoding(
  sample: Uint8Array,
  options: DetectEncodingOptions = {},
): TextFormat | undefined {
  for (const format of candidateFormats(sample)) {
    if (decodeAs(sample, format, options.partial) !== undefined) return format;
  }
  return undefined;
}

/** What the bytes could be, best guess first; each is still to be tried on all of them. */
export function* candidateFormats(bytes: Uint8Array): Generator<TextFormat> {
  const binary = hasBinaryBytes(bytes);
  for (const format of markedFormats(bytes)) if (!binary || format.encoding !== "utf-8") yield format;
  if (binary) {
    const unmarked = unmarkedUtf16(bytes);
    if (unmarked !== undefined) yield unmarked;
    return;
  }
  yield { encoding: "utf-8", bom: false };
  for (const encoding of detectLegacy(bytes)) yield { encoding, bom: false };
}
