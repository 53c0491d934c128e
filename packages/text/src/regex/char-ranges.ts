/** A set of numbers (code points or bytes) as sorted, disjoint, inclusive pairs: [low, high, low, high, …]. */
export type CharRanges = readonly number[];

export const MAX_CODE_POINT = 0x10ffff;

/** Sorts and merges arbitrary pairs into a canonical set. */
export function mergeRanges(pairs: CharRanges): number[] {
  const order: number[] = [];
  for (let index = 0; index < pairs.length; index += 2) order.push(index);
  order.sort((a, b) => at(pairs, a) - at(pairs, b));
  const merged: number[] = [];
  for (const index of order) {
    const low = at(pairs, index);
    const high = at(pairs, index + 1);
    const last = merged.length - 1;
    if (last > 0 && low <= at(merged, last) + 1) merged[last] = Math.max(at(merged, last), high);
    else merged.push(low, high);
  }
  return merged;
}

export function negateRanges(ranges: CharRanges, max = MAX_CODE_POINT): number[] {
  const result: number[] = [];
  let next = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const low = at(ranges, index);
    if (low > next) result.push(next, low - 1);
    next = at(ranges, index + 1) + 1;
  }
  if (next <= max) result.push(next, max);
  return result;
}

export function intersectRanges(left: CharRanges, right: CharRanges): number[] {
  const result: number[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const low = Math.max(at(left, i), at(right, j));
    const high = Math.min(at(left, i + 1), at(right, j + 1));
    if (low <= high) result.push(low, high);
    if (at(left, i + 1) < at(right, j + 1)) i += 2;
    else j += 2;
  }
  return result;
}

export function subtractRanges(left: CharRanges, right: CharRanges): number[] {
  return intersectRanges(left, negateRanges(right));
}

export function rangesContain(ranges: CharRanges, value: number): boolean {
  let low = 0;
  let high = ranges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (value < at(ranges, middle * 2)) high = middle - 1;
    else if (value > at(ranges, middle * 2 + 1)) low = middle + 1;
    else return true;
  }
  return false;
}

// Callers stay within the array; the cast avoids checks in the inner loops that can never fail.
function at(values: CharRanges, index: number): number {
  return values[index] as number;
}
