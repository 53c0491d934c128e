import type { CharRanges } from "./char-ranges.js";

/**
 * The UTF-8 encodings of a set of characters as sequences of byte ranges [low, high, low, high, …], in order.
 * Two sequences share their first range wholly or not at all, which lets a caller build a tree of them.
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
  const first = encode(low);
  const last = encode(high);
  sequences.push(first.flatMap((byte, index) => [byte, last[index] as number]));
}

function encode(point: number): number[] {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 63)];
  if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)];
}
