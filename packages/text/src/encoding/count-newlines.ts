import { HIGHEST_BITS, LOWEST_BITS, wordsFrom } from "./byte-words.js";

/** Counts newlines in a byte range, for encodings in which 0x0A always means newline. */
export function countNewlines(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const { start, words, end } = wordsFrom(bytes, from, to);
  let count = countSingly(bytes, from, start) + countSingly(bytes, end, to);
  for (let first = 0; first < words.length; first += MAX_SUMMED)
    count += countInWords(words, first, Math.min(first + MAX_SUMMED, words.length));
  return count;
}

const NEWLINE = 0x0a;
const NEWLINES = NEWLINE * LOWEST_BITS;
// Each byte of the sum is a separate counter.
const MAX_SUMMED = 255;

function countInWords(words: Int32Array, from: number, to: number): number {
  let sum = 0;
  for (let index = from; index < to; index++) {
    const differing = (words[index] as number) ^ NEWLINES;
    // Sets the highest bit of each zero byte, and of no other byte.
    const found = ~(((differing & ~HIGHEST_BITS) + ~HIGHEST_BITS) | differing | ~HIGHEST_BITS);
    sum = (sum + (found >>> 7)) | 0;
  }
  return (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24);
}

function countSingly(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}
