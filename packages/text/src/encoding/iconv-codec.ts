// The one place that talks to iconv-lite. It serves everything but UTF-8, and strictly: the library itself
// writes "?" for what it cannot encode and U+FFFD for what it cannot decode.
import iconv from "iconv-lite";

/**
 * Exact: the text encodes to the same bytes again, as far as they go. The bytes may stop inside a character,
 * which is then left out; `length` says how many were read. Anything invalid before that gives undefined.
 */
export function decodeExactly(bytes: Uint8Array, encoding: string): DecodedPrefix | undefined {
  const text = openDecoder(encoding)
    .write(bytes)
    .replace(/[\ud800-\udbff]$/, "");
  if (text.includes("\ufffd") && !canHoldReplacement(encoding)) return undefined;
  const again = encodeLoosely(text, encoding);
  const unread = bytes.length - again.length;
  return unread <= longestUnfinished && startsWith(bytes, again) ? { text, length: again.length } : undefined;
}

export interface DecodedPrefix {
  readonly text: string;
  readonly length: number;
}

// Three of the four bytes of a GB 18030 or UTF-32 character, or of a surrogate pair.
const longestUnfinished = 3;

/** A decoder that writes U+FFFD for what is invalid and keeps back an unfinished character. */
export function openDecoder(encoding: string): { write(chunk: Uint8Array): string } {
  assertKnown(encoding);
  return iconv.getDecoder(encoding, { stripBOM: false }) as { write(chunk: Uint8Array): string };
}

export interface ExactEncoding {
  readonly bytes: Uint8Array;
  /** Where the first character starts that the encoding cannot hold; -1 when it holds them all. */
  readonly failedAt: number;
}

/**
 * Reading the bytes back shows every character that became another one, "?" included, at its own index.
 * U+FFFD needs a check of its own: the single-byte tables of iconv-lite give it an undefined byte.
 */
export function encodeExactly(text: string, encoding: string): ExactEncoding {
  assertKnown(encoding);
  const bytes = encodeLoosely(text, encoding);
  const readBack = iconv.decode(bytes, encoding, { stripBOM: false });
  const changed = readBack === text ? -1 : firstDifference(text, readBack);
  const replacement = canHoldReplacement(encoding) ? -1 : text.indexOf("\ufffd");
  if (changed === -1 || replacement === -1) return { bytes, failedAt: Math.max(changed, replacement) };
  return { bytes, failedAt: Math.min(changed, replacement) };
}

/** "?" stands for what the encoding cannot hold. A plain array, not the Buffer of the library. */
function encodeLoosely(text: string, encoding: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = iconv.encode(text, encoding);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return encoding === "euc-jp" && text.includes("\uff5e") ? withUsualTilde(bytes) : bytes;
}

/**
 * For the full-width tilde, which Japanese text uses a lot, the EUC-JP table of iconv-lite prefers a rare
 * code over the one that other programs write.
 */
function withUsualTilde(bytes: Uint8Array): Uint8Array {
  const usual: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x8f && bytes[at + 1] === 0xa2 && bytes[at + 2] === 0xb7) {
      usual.push(0xa1, 0xc1);
      at += 2;
    } else usual.push(bytes[at] as number);
  }
  return Uint8Array.from(usual);
}

function assertKnown(encoding: string): void {
  if (!iconv.encodingExists(encoding)) throw new Error(`Unknown encoding: ${encoding}`);
}

/** U+FFFD is an ordinary character in the Unicode encodings, of which GB 18030 is one. */
function canHoldReplacement(encoding: string): boolean {
  return encoding === "gb18030" || encoding.startsWith("utf-");
}

function startsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  if (head.length > bytes.length) return false;
  for (let index = 0; index < head.length; index++) if (bytes[index] !== head[index]) return false;
  return true;
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  return index;
}
