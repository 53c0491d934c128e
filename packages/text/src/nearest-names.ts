/**
 * Returns the names that were probably meant, best first. Ignores case and separators, so `readFile` finds
 * `read_file`. A name is near if a few typing errors separate the two (a swap of neighbours counts as one), or if one
 * contains the other.
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

// Longer input is hostile or not a name; cutting it bounds the work.
const maxLength = 80;

/**
 * Treats Unicode's different spellings of a character as equal: macOS decomposes names and inserts narrow spaces.
 * Cuts again afterwards, because one character can expand to many.
 */
function toKey(name: string): string {
  const cut = name.slice(0, maxLength);
  return (ascii.test(cut) ? cut : plain(cut)).toLowerCase().replace(/[-_.\s]+/g, "");
}

const ascii = /^[ -~]*$/;

function plain(name: string): string {
  return name
    .normalize("NFKC")
    .slice(0, maxLength)
    .replace(/[\u2018\u2019\u02bc]/g, "'");
}

/** Infinite if the two have too little in common. */
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
 * Computes the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
 * Infinite above the limit, which most candidates reach after a few rows. Common ends cost nothing, and cells further
 * from the diagonal than the limit are skipped.
 */
function editDistance(left: string, right: string, limit: number): number {
  const [from, leftEnd, rightEnd] = differingPart(left, right);
  const width = rightEnd - from;
  let twoAbove = new Uint8Array(width + 1);
  let above = Uint8Array.from({ length: width + 1 }, (_, index) => index);
  let current = new Uint8Array(width + 1);
  for (let row = 1; row <= leftEnd - from; row++) {
    current.fill(limit + 1);
    if (row <= limit) current[0] = row;
    let least = row;
    const last = Math.min(width, row + limit);
    for (let column = Math.max(1, row - limit); column <= last; column++) {
      const own = left.charCodeAt(from + row - 1);
      const other = right.charCodeAt(from + column - 1);
      let best = at(above, column - 1) + (own === other ? 0 : 1);
      best = Math.min(best, at(above, column) + 1, at(current, column - 1) + 1);
      const isSwap =
        row > 1 &&
        column > 1 &&
        own === right.charCodeAt(from + column - 2) &&
        left.charCodeAt(from + row - 2) === other;
      if (isSwap) best = Math.min(best, at(twoAbove, column - 2) + 1);
      current[column] = best;
      least = Math.min(least, best);
    }
    if (least > limit) return Number.POSITIVE_INFINITY;
    [twoAbove, above, current] = [above, current, twoAbove];
  }
  const distance = at(above, width);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

/** Returns the differing middle of both texts, without their common prefix and suffix. */
function differingPart(left: string, right: string): [from: number, leftEnd: number, rightEnd: number] {
  let from = 0;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (from < leftEnd && from < rightEnd && left.charCodeAt(from) === right.charCodeAt(from)) from++;
  while (
    leftEnd > from &&
    rightEnd > from &&
    left.charCodeAt(leftEnd - 1) === right.charCodeAt(rightEnd - 1)
  ) {
    leftEnd--;
    rightEnd--;
  }
  return [from, leftEnd, rightEnd];
}

function at(row: Uint8Array, column: number): number {
  return row[column] ?? 0;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
