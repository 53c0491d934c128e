/** A byte range viewed as aligned 32-bit words, so that long files can be scanned four bytes at a time. */
interface ByteWords {
  /** Byte offset of the first word. */
  readonly start: number;
  /** Signed, because V8 computes fastest with signed integers. */
  readonly words: Int32Array;
  /** Byte offset after the last word. */
  readonly end: number;
}

export function wordsFrom(bytes: Uint8Array, from: number, to = bytes.length): ByteWords {
  const start = Math.min(to, from + ((4 - ((bytes.byteOffset + from) & 3)) & 3));
  const words = new Int32Array(bytes.buffer, (bytes.byteOffset + start) & ~3, (to - start) >>> 2);
  return { start, words, end: start + words.length * 4 };
}

/** Returns the sum of the four bytes of a word, each of which must be 0 or 1. */
export function sumOfBytes(word: number): number {
  return Math.imul(word, LOWEST_BITS) >>> 24;
}

export const LOWEST_BITS = 0x01010101;
export const HIGHEST_BITS = (0x80 * LOWEST_BITS) | 0;
