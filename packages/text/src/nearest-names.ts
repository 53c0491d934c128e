/**
 * Names that were probably meant, best first. Case and separators do not count, so `readFile` finds
 * `read_file`. A name is near when a few typing errors separate it (swapped neighbours are one), or when one
 * of the two contains the other.
 */
export function nearestNames(wanted: string, candidates: Iterable<string>, max = 3): string[] {
  const key = toKey(wanted);
  const near: { name: string; distance: number }[] = [];
  for (const name of candidates) {
    const distance = distanceBetween(key, toKey(name));
    if (distance < Number.POSITIVE_INFINITY) near.push({ name, distance });
  }
  near.sort((left, right) => left.distance - right.distance || compare(left.name, right.name));
  return [...new Set(near.map(({ name }) => name))].slice(0, max);
}

// Longer input is hostile or no name at all; cutting it bounds the work.
const maxLength = 80;

function toKey(name: string): string {
  return name
    .slice(0, maxLength)
    .toLowerCase()
    .replace(/[-_.\s]/g, "");
}

/** Infinite when the two have too little in common. */
function distanceBetween(wanted: string, name: string): number {
  if (wanted === name) return 0;
  if (wanted.length >= 3 && name.length >= 3) {
    // As good as one typing error, whatever the difference in length.
    if (name.startsWith(wanted) || wanted.startsWith(name)) return 1;
    if (name.includes(wanted) || wanted.includes(name)) return 1.5;
  }
  const tolerated = Math.max(1, Math.floor(wanted.length / 3));
  if (Math.abs(wanted.length - name.length) > tolerated) return Number.POSITIVE_INFINITY;
  const distance = editDistance(wanted, name);
  return distance <= tolerated ? distance : Number.POSITIVE_INFINITY;
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(left: string, right: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let best = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
      );
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) best = Math.min(best, at(twoAbove, column - 2) + 1);
      current.push(best);
    }
    [twoAbove, above] = [above, current];
  }
  return at(above, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
