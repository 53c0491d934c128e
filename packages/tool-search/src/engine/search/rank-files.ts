import type { FileTally } from "./search-outcome.js";

/** A total order, so that the same files are kept whichever thread finds them first. */
export function rankFiles(tallies: readonly FileTally[], order: "path" | "relevance"): FileTally[] {
  return [...tallies].sort(order === "path" ? byPath : byRelevance);
}

/** Order of code points; comparing strings directly would put surrogates before U+E000. */
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

function byRelevance(left: FileTally, right: FileTally): number {
  return (
    Math.sign(right.definitions) - Math.sign(left.definitions) ||
    right.lines - left.lines ||
    depth(left.path) - depth(right.path) ||
    byPath(left, right)
  );
}

function depth(path: string): number {
  return path.split("/").length;
}
