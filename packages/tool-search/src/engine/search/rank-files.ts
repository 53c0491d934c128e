import type { FileTally } from "./search-outcome.js";

/** Sorts by a total order, so that the same files are kept whichever thread finds them first. */
export function rankFiles(tallies: readonly FileTally[], order: "path" | "relevance"): FileTally[] {
  if (order === "path") return [...tallies].sort(byPath);
  const placed = tallies.map((tally) => ({ tally, depth: depthOf(tally.path) }));
  return placed.sort(byRelevance).map(({ tally }) => tally);
}

/** Compares by code point; comparing strings directly would put surrogates before U+E000. */
export function comparePaths(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    const bothHigh = a >= 0xd800 && b >= 0xd800;
    return bothHigh ? (left.codePointAt(index) as number) - (right.codePointAt(index) as number) : a - b;
  }
  return left.length - right.length;
}

function byPath(left: FileTally, right: FileTally): number {
  return comparePaths(left.path, right.path);
}

interface PlacedTally {
  readonly tally: FileTally;
  readonly depth: number;
}

function byRelevance(left: PlacedTally, right: PlacedTally): number {
  return (
    Math.sign(right.tally.definitions) - Math.sign(left.tally.definitions) ||
    right.tally.lines - left.tally.lines ||
    left.depth - right.depth ||
    byPath(left.tally, right.tally)
  );
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) depth++;
  return depth;
}
