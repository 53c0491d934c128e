import type { LineChange } from "./diff-lines.js";

export interface Hunk {
  readonly header: string;
  /** Lines with their sign. A line without a final newline is followed by the marker that says so. */
  readonly lines: readonly string[];
}

/**
 * Groups changes into hunks. Changes at most `2 * contextLines` unchanged lines apart share one, as in GNU
 * diff.
 */
export function buildHunks(changes: readonly LineChange[], firstLine: number, contextLines: number): Hunk[] {
  const hunks: Hunk[] = [];
  let open: OpenHunk | undefined;
  let oldLine = firstLine;
  let newLine = firstLine;
  for (const { same, removed, added } of changes) {
    const isChanged = removed.length > 0 || added.length > 0;
    if (open !== undefined && (!isChanged || same.length > 2 * contextLines)) {
      addLines(open, " ", same.slice(0, contextLines));
      hunks.push(finish(open));
      open = undefined;
    } else if (open !== undefined) addLines(open, " ", same);
    oldLine += same.length;
    newLine += same.length;
    if (!isChanged) continue;
    open ??= openHunk(oldLine, newLine, contextLines === 0 ? [] : same.slice(-contextLines));
    addLines(open, "-", removed);
    addLines(open, "+", added);
    oldLine += removed.length;
    newLine += added.length;
  }
  return hunks;
}

interface HunkRanges {
  readonly oldStart: number;
  readonly newStart: number;
  oldCount: number;
  newCount: number;
}

interface OpenHunk extends HunkRanges {
  readonly lines: string[];
}

function openHunk(oldLine: number, newLine: number, context: readonly string[]): OpenHunk {
  const hunk: OpenHunk = {
    oldStart: oldLine - context.length,
    newStart: newLine - context.length,
    oldCount: 0,
    newCount: 0,
    lines: [],
  };
  addLines(hunk, " ", context);
  return hunk;
}

function addLines(hunk: OpenHunk, sign: " " | "-" | "+", lines: readonly string[]): void {
  for (const line of lines) hunk.lines.push(sign + printable(line));
  if (sign !== "+") hunk.oldCount += lines.length;
  if (sign !== "-") hunk.newCount += lines.length;
}

function printable(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : `${line}\n\\ No newline at end of file`;
}

function finish(hunk: OpenHunk): Hunk {
  return { header: hunkHeader(hunk), lines: hunk.lines };
}

export function hunkHeader({ oldStart, oldCount, newStart, newCount }: HunkRanges): string {
  return `@@ -${range(oldStart, oldCount)} +${range(newStart, newCount)} @@`;
}

/** By convention, an empty range names the line before it. */
function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}
