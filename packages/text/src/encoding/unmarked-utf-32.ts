import { decodeExactly } from "./iconv-codec.js";
import { looksControlled } from "./looks-binary.js";
import type { TextFormat } from "./text-format.js";

/**
 * Detects UTF-32 without a byte order mark: one byte in four is always NUL, and the next to it nearly always.
 */
export function unmarkedUtf32(bytes: Uint8Array): TextFormat | undefined {
  const head = bytes.subarray(0, Math.min(bytes.length, SNIFFED) & ~3);
  if (head.length < SHORTEST) return undefined;
  const encoding = ["utf-32le", "utf-32be"].find((each) => hasHighBytes(head, each === "utf-32le" ? 3 : 0));
  if (encoding === undefined) return undefined;
  const text = decodeExactly(head, encoding)?.text;
  return text === undefined || text.includes("\0") || looksControlled(text)
    ? undefined
    : { encoding, bom: false };
}

const SNIFFED = 8192;
const SHORTEST = 16;

/** Whether every unit is a valid code point, judged by its two high bytes. */
function hasHighBytes(bytes: Uint8Array, highest: number): boolean {
  const next = highest === 0 ? 1 : 2;
  for (let at = 0; at < bytes.length; at += 4) {
    if (bytes[at + highest] !== 0 || (bytes[at + next] ?? 0) > 0x10) return false;
  }
  return true;
}
