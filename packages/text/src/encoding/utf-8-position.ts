/**
 * Where in well-formed UTF-8 the place is that a text has `units` UTF-16 units behind another; -1 when it
 * is inside a character, or behind the end.
 */
export function utf8Position(bytes: Uint8Array, from: number, units: number): number {
  const { start, words, end } = wordsFrom(bytes, from);
  let left = units;
  let at = from;
  for (; at < start && left > 0; at++) left -= unitsOf(bytes[at] as number);
  if (at === start) {
    let index = 0;
    // No word is more than eight units: none is passed that the place could be in.
    for (; index < words.length && left >= 8; index++) left -= unitsOfWord(words[index] as number);
    at = index < words.length ? start + index * 4 : end;
  }
  for (; at < bytes.length && left > 0; at++) left -= unitsOf(bytes[at] as number);
  while (at < bytes.length && isContinuation(bytes[at] as number)) at++;
  return left === 0 ? at : -1;
}

/** A character counts with its first byte: two units where it takes four bytes. */
function unitsOf(byte: number): number {
  if (byte >= 0xf0) return 2;
  return isContinuation(byte) ? 0 : 1;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function unitsOfWord(word: number): number {
  if ((word & HIGHEST_BITS) === 0) return 4;
  const continuations = (word >>> 7) & (~word >>> 6) & LOWEST_BITS;
  const longest = (word >>> 7) & (word >>> 6) & (word >>> 5) & (word >>> 4) & LOWEST_BITS;
  return 4 - sumOfBytes(continuations) + sumOfBytes(longest);
}

const LOWEST_BITS = 0x01010101;
const HIGHEST_BITS = 0x80 * LOWEST_BITS;

/** Bytes as whole 32-bit words, of which a pass over a long file looks at one at a time. */
interface ByteWords {
  /** Where in the bytes the words begin. */
  readonly start: number;
  readonly words: Uint32Array;
  /** Where in the bytes they end. */
  readonly end: number;
}

function wordsFrom(bytes: Uint8Array, from: number): ByteWords {
  const to = bytes.length;
  const start = Math.min(to, from + ((4 - ((bytes.byteOffset + from) & 3)) & 3));
  const words = new Uint32Array(bytes.buffer, (bytes.byteOffset + start) & ~3, (to - start) >>> 2);
  return { start, words, end: start + words.length * 4 };
}

/** How many of the four bytes of a word are one, given that each is nought or one. */
function sumOfBytes(word: number): number {
  return Math.imul(word, LOWEST_BITS) >>> 24;
}
