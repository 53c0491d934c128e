import { diffArrays } from "diff/lib/diff/array.js";

/** `count` lines from `oldAt` on are the same as those from `newAt` on. */
export interface LineMatch {
  readonly oldAt: number;
  readonly newAt: number;
  readonly count: number;
}

/**
 * The lines two texts have in common, in order; as many as possible, or none when looking for them would
 * take too long. A few edits are found at once. Otherwise lines that only one side has are taken out first:
 * they cannot match, and without them most rewrites become small.
 */
export function matchLines(before: readonly string[], after: readonly string[]): LineMatch[] {
  if (before.length === 0 || after.length === 0) return [];
  const quick = search(before, after, fewEdits);
  if (quick !== undefined) return quick;
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

// The search costs the square of the number of changed lines. The length bounds it in the same way on every
// machine; the time is the safety net for a slow one.
const fewEdits = { maxEditLength: 60, timeout: 50 };
const manyEdits = { maxEditLength: 600, timeout: 100 };

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

/** Equal lines get equal numbers, which compare faster than strings. */
function lineNumberer(): (line: string | undefined) => number {
  const numbers = new Map<string | undefined, number>();
  return (line) => {
    const number = numbers.get(line) ?? numbers.size;
    if (number === numbers.size) numbers.set(line, number);
    return number;
  };
}

/** Neighbours among the remaining lines may have had others between them. */
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
