import { countLines } from "../lines.js";
import { commonEnds } from "./common-ends.js";
import { type LineMatch, matchLines } from "./match-lines.js";

/** Lines include their endings. Unchanged lines come first, then the replaced ones. */
export interface LineChange {
  readonly same: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export interface LineDiff {
  /** Line number of the first line in `changes`, the same on both sides; lines before it are unchanged. */
  readonly firstLine: number;
  /** Offset in the old text where the last change ends. */
  readonly middleEnd: number;
  readonly changes: readonly LineChange[];
}

/**
 * Compares two texts line by line. Most edits are local, so the common prefix and suffix are stripped before
 * splitting into lines; `contextLines` of them are kept on either side.
 */
export function diffLines(before: string, after: string, contextLines: number): LineDiff {
  const { start, beforeEnd, afterEnd } = commonEnds(before, after);
  if (start === beforeEnd && start === afterEnd) return { firstLine: 1, middleEnd: start, changes: [] };
  const contextStart = startOfLinesBefore(before, start, contextLines);
  const contextEnd = endOfLinesAfter(before, beforeEnd, contextLines);
  const oldLines = linesWithEndings(before.slice(start, beforeEnd));
  const newLines = linesWithEndings(after.slice(start, afterEnd));
  // Both ends of the middle differ, so it starts with a change; only context lines precede it.
  const [first, ...others] = toChanges(matchLines(oldLines, newLines), oldLines, newLines);
  const head = linesWithEndings(before.slice(contextStart, start));
  const tail = linesWithEndings(before.slice(beforeEnd, contextEnd));
  return {
    firstLine: countLines(before.slice(0, contextStart)) + 1,
    middleEnd: beforeEnd,
    changes: [{ ...nothing, ...first, same: head }, ...others, { ...nothing, same: tail }],
  };
}

const nothing: LineChange = { same: [], removed: [], added: [] };

export function startOfLinesBefore(text: string, end: number, count: number): number {
  let start = end;
  for (let lines = 0; lines < count && start > 0; lines++) {
    start = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

export function endOfLinesAfter(text: string, start: number, count: number): number {
  let end = start;
  for (let lines = 0; lines < count && end < text.length; lines++) end = endOfLine(text, end);
  return end;
}

function linesWithEndings(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

function endOfLine(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline + 1;
}

function toChanges(
  matches: readonly LineMatch[],
  before: readonly string[],
  after: readonly string[],
): LineChange[] {
  const end: LineMatch = { oldAt: before.length, newAt: after.length, count: 0 };
  const changes: LineChange[] = [];
  let match: LineMatch = { oldAt: 0, newAt: 0, count: 0 };
  for (const next of [...matches, end]) {
    const oldAt = match.oldAt + match.count;
    const newAt = match.newAt + match.count;
    changes.push({
      same: before.slice(match.oldAt, oldAt),
      removed: before.slice(oldAt, next.oldAt),
      added: after.slice(newAt, next.newAt),
    });
    match = next;
  }
  return changes;
}
