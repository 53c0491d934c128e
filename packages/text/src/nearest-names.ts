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

/** Unicode's ways to write one character count as one: macOS decomposes names and puts narrow spaces into them. */
function toKey(name: string): string {
  return plain(name.slice(0, maxLength))
    .toLowerCase()
    .replace(/[-_.\s]/g, "");
}

function plain(name: string): string {
  return ascii.test(name) ? name : name.normalize("NFKC").replace(/[\u2018\u2019\u02bc]/g, "'");
}

const ascii = /^[ -~]*$/;

/** Infinite when the two have too little in common. */
function distanceBetween(wanted: string, name: string): number {
  if (wanted === name) return 0;
  const difference = Math.abs(wanted.length - name.length);
  if (wanted.length >= 3 && name.length >= 3) {
    // About as good as one typing error; the closer in length, the better.
    if (name.startsWith(wanted) || wanted.startsWith(name)) return 1 + difference / 1000;
    if (name.includes(wanted) || wanted.includes(name)) return 1.5 + difference / 1000;
  }
  const tolerated = Math.max(1, Math.floor(wanted.length / 3));
  return difference > tolerated ? Number.POSITIVE_INFINITY : editDistance(wanted, name, tolerated);
}

/**
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. Infinite above the
 * limit, which most candidates reach after a few rows.
 */
function editDistance(left: string, right: string, limit: number): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const substituted = at(above, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwap ? at(twoAbove, column - 2) + 1 : Number.POSITIVE_INFINITY;
      const best = Math.min(at(above, column) + 1, at(current, column - 1) + 1, substituted, swapped);
      current.push(best);
      least = Math.min(least, best);
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
    [twoAbove, above] = [above, current];
  }
  const distance = at(above, right.length);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
