import type { CharRanges } from "./char-ranges.js";

/**
 * Returns the UTF-8 encodings of a character set as ordered sequences of byte ranges [low, high, low, high, …]. Two
 * sequences share their first range completely or not at all, so a caller can build a tree of them.
 */
export function utf8Sequences(ranges: CharRanges): number[][] {
  const sequences: number[][] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    const low = ranges[index] as number;
    const high = ranges[index + 1] as number;
    if (low < 0xd800) addRange(sequences, low, Math.min(high, 0xd7ff));
    if (high > 0xdfff) addRange(sequences, Math.max(low, 0xe000), high);
  }
  return sequences;
}

const LAST_OF_LENGTH = [0x7f, 0x7ff, 0xffff];

function addRange(sequences: number[][], low: number, high: number): void {
  for (const last of LAST_OF_LENGTH) {
    if (low <= last && last < high) {
      addRange(sequences, low, last);
      addRange(sequences, last + 1, high);
      return;
    }
  }
  for (let bits = 6; bits <= 18 && high > 0x7f; bits += 6) {
    const mask = (1 << bits) - 1;
    if ((low & ~mask) === (high & ~mask)) continue;
    const cut = (low & mask) !== 0 ? low | mask : (high & mask) !== mask ? (high & ~mask) - 1 : high;
    if (cut === high) continue;
    addRange(sequences, low, cut);
    addRange(sequences, cut + 1, high);
    return;
  }
  sequences.push(encodeRange(low, high));
}

function encodeRange(low: number, high: number): number[] {
  if (high < 0x80) return [low, high];
  const last = [0x80 | (low & 63), 0x80 | (high & 63)];
  if (high < 0x800) return [0xc0 | (low >> 6), 0xc0 | (high >> 6), ...last];
  const middle = [0x80 | ((low >> 6) & 63), 0x80 | ((high >> 6) & 63), ...last];
  if (high < 0x10000) return [0xe0 | (low >> 12), 0xe0 | (high >> 12), ...middle];
  return [
    0xf0 | (low >> 18),
    0xf0 | (high >> 18),
    0x80 | ((low >> 12) & 63),
    0x80 | ((high >> 12) & 63),
    ...middle,
  ];
}
