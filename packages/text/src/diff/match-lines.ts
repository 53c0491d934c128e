import { diffArrays } from "diff/lib/diff/array.js";

/** `count` lines starting at `oldAt` equal those starting at `newAt`. */
export interface LineMatch {
  readonly oldAt: number;
  readonly newAt: number;
  readonly count: number;
}

/**
 * Returns the longest common subsequence of lines, or no matches when computing it would take too long. A few
 * edits are found directly. Otherwise, lines that occur on one side only are removed first: they cannot
 * match, and most rewrites become small without them.
 */
export function matchLines(before: readonly string[], after: readonly string[]): LineMatch[] {
  if (before.length === 0 || after.length === 0) return [];
  const quick = search(before, after, fewEdits);
  if (quick !== undefined || before.length + after.length > MAX_SORTED_LINES) return quick ?? [];
  const inBefore = new Set(before);
  const inAfter = new Set(after);
  const oldAt = indexesOf(before, inAfter);
  const newAt = indexesOf(after, inBefore);
  const number = lineNumberer();
  const found = search(
    oldAt.map((index) => number(before[index])),
    newAt.map((index) => number(after[index])),
    manyEdits,
  );
  return found === undefined ? [] : found.flatMap((match) => spread(match, oldAt, newAt));
}

// The search is quadratic in the number of changed lines. The length limit is the same on every machine; the
// time limit protects slow ones.
const fewEdits = { maxEditLength: 60, timeout: 50 };
const manyEdits = { maxEditLength: 600, timeout: 100 };
// Filtering out lines that occur on one side only takes about 0.1 s for this many.
const MAX_SORTED_LINES = 200_000;

function search<Line>(
  before: readonly Line[],
  after: readonly Line[],
  limits: { maxEditLength: number; timeout: number },
): LineMatch[] | undefined {
  const matches: LineMatch[] = [];
  let oldAt = 0;
  let newAt = 0;
  const runs = diffArrays(before as Line[], after as Line[], limits);
  for (const { added, removed, count } of runs ?? []) {
    if (!added && !removed) matches.push({ oldAt, newAt, count });
    if (!added) oldAt += count;
    if (!removed) newAt += count;
  }
  return runs === undefined ? undefined : matches;
}

function indexesOf(lines: readonly string[], wanted: ReadonlySet<string>): number[] {
  const indexes: number[] = [];
  for (const [index, line] of lines.entries()) if (wanted.has(line)) indexes.push(index);
  return indexes;
}

/** Maps equal lines to equal numbers, which compare faster than strings. */
function lineNumberer(): (line: string | undefined) => number {
  const numbers = new Map<string | undefined, number>();
  return (line) => {
    const number = numbers.get(line) ?? numbers.size;
    if (number === numbers.size) numbers.set(line, number);
    return number;
  };
}

/** Adjacent remaining lines may have had removed lines between them. */
function spread(match: LineMatch, oldAt: readonly number[], newAt: readonly number[]): LineMatch[] {
  const parts: { oldAt: number; newAt: number; count: number }[] = [];
  for (let offset = 0; offset < match.count; offset++) {
    const old = oldAt[match.oldAt + offset] as number;
    const fresh = newAt[match.newAt + offset] as number;
    const last = parts.at(-1);
    if (last !== undefined && last.oldAt + last.count === old && last.newAt + last.count === fresh)
      last.count++;
    else parts.push({ oldAt: old, newAt: fresh, count: 1 });
  }
  return parts;
}
