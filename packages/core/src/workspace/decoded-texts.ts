import { type DecodedText, decodeText, detectEncoding } from "@haft/text";

/** Like `decodeText`, but cached: showing a change needs the same texts as making it. */
export function decodedText(bytes: Uint8Array): DecodedText | undefined {
  return known.get(bytes) ?? decodeText(bytes);
}

/** Caches the decoded text of bytes that no longer change. */
export function rememberText(bytes: Uint8Array, decoded: DecodedText): void {
  known.set(bytes, decoded);
}

/**
 * Caches the text that bytes were encoded from. For encodings other than UTF-8 the writer is more reliable than
 * detection. UTF-8 is cached only if decoding the bytes returns the same text.
 */
export function rememberEncoded(bytes: Uint8Array, { text, format }: DecodedText): void {
  if (format.encoding !== "utf-8") known.set(bytes, { text, format });
  if (format.encoding !== "utf-8" || format.bom) return;
  const found = detectEncoding(bytes.subarray(0, SAMPLE_BYTES), { partial: bytes.length > SAMPLE_BYTES });
  if (found?.encoding === "utf-8" && !found.bom) known.set(bytes, { text, format });
}

/** Returns whether the bytes are plain ASCII text, and so give no hint of an encoding. */
export function isPlainAscii(bytes: Uint8Array | undefined): boolean {
  const decoded = bytes && decodedText(bytes);
  if (decoded === undefined || decoded.format.encoding !== "utf-8" || decoded.format.bom) return false;
  return decoded.text.length === bytes?.length;
}

const known = new WeakMap<Uint8Array, DecodedText>();
const SAMPLE_BYTES = 64 * 1024;
