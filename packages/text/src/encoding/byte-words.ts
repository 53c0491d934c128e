/** Bytes as whole 32-bit words, of which a pass over a long file looks at one at a time. */
export interface ByteWords {
  /** Where in the bytes the words begin. */
  readonly start: number;
  /** Signed, because those V8 counts with fastest. */
  readonly words: Int32Array;
  /** Where in the bytes they end. */
  readonly end: number;
}

export function wordsFrom(bytes: Uint8Array, from: number, to = bytes.length): ByteWords {
  const start = Math.min(to, from + ((4 - ((bytes.byteOffset + from) & 3)) & 3));
  const words = new Int32Array(bytes.buffer, (bytes.byteOffset + start) & ~3, (to - start) >>> 2);
  return { start, words, end: start + words.length * 4 };
}

/** How many of the four bytes of a word are one, given that each is nought or one. */
export function sumOfBytes(word: number): number {
  return Math.imul(word, LOWEST_BITS) >>> 24;
}

export const LOWEST_BITS = 0x01010101;
export const HIGHEST_BITS = (0x80 * LOWEST_BITS) | 0;
