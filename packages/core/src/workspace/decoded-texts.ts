import { type DecodedText, decodeText, detectEncoding } from "@haft/text";

/** As `decodeText`, but what was decoded before is not decoded again: showing a change needs the same texts as making it. */
export function decodedText(bytes: Uint8Array): DecodedText | undefined {
  return known.get(bytes) ?? decodeText(bytes);
}

/** Remembers what bytes that nobody changes any more decode to. */
export function rememberText(bytes: Uint8Array, decoded: DecodedText): void {
  known.set(bytes, decoded);
}

/** The same for bytes that a text was encoded to, where decoding is sure to give that text back. */
export function rememberEncoded(bytes: Uint8Array, { text, format }: DecodedText): void {
  if (format.encoding !== "utf-8" || format.bom) return;
  const found = detectEncoding(bytes.subarray(0, SAMPLE_BYTES), { partial: bytes.length > SAMPLE_BYTES });
  if (found?.encoding === "utf-8" && !found.bom) known.set(bytes, { text, format });
}

const known = new WeakMap<Uint8Array, DecodedText>();
const SAMPLE_BYTES = 64 * 1024;
