import { HIGHEST_BITS, LOWEST_BITS, sumOfBytes, wordsFrom } from "./byte-words.js";

/**
 * Returns the byte position in well-formed UTF-8 that lies `units` UTF-16 units after another. Returns -1 if
 * it falls inside a character or past the end.
 */
export function utf8Position(bytes: Uint8Array, from: number, units: number): number {
  const { start, words, end } = wordsFrom(bytes, from);
  let left = units;
  let at = from;
  for (; at < start && left > 0; at++) left -= unitsOf(bytes[at] as number);
  if (at === start) {
    let index = 0;
    // A word holds at most eight units, so this never skips the word that contains the position.
    for (; index + 4 <= words.length && left >= 32; index += 4) left -= unitsOfFourWords(words, index);
    for (; index < words.length && left >= 8; index++) left -= unitsOfWord(words[index] as number);
    at = index < words.length ? start + index * 4 : end;
  }
  for (; at < bytes.length && left > 0; at++) left -= unitsOf(bytes[at] as number);
  while (at < bytes.length && isContinuation(bytes[at] as number)) at++;
  return left === 0 ? at : -1;
}

/** A character counts at its first byte: two units for a four-byte character. */
function unitsOf(byte: number): number {
  if (byte >= 0xf0) return 2;
  return isContinuation(byte) ? 0 : 1;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Usually all sixteen bytes are ASCII, which a single test shows. */
function unitsOfFourWords(words: Int32Array, index: number): number {
  const first = words[index] as number;
  const second = words[index + 1] as number;
  const third = words[index + 2] as number;
  const fourth = words[index + 3] as number;
  if (((first | second | third | fourth) & HIGHEST_BITS) === 0) return 16;
  return unitsOfWord(first) + unitsOfWord(second) + unitsOfWord(third) + unitsOfWord(fourth);
}

function unitsOfWord(word: number): number {
  if ((word & HIGHEST_BITS) === 0) return 4;
  const continuations = (word >>> 7) & (~word >>> 6) & LOWEST_BITS;
  const longest = (word >>> 7) & (word >>> 6) & (word >>> 5) & (word >>> 4) & LOWEST_BITS;
  return 4 - sumOfBytes(continuations) + sumOfBytes(longest);
}
