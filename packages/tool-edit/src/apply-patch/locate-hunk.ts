import { foldPunctuation } from "../edit/fold-punctuation.js";
import type { TextLines } from "../text/text-lines.js";
import { type Hunk, oldLines } from "./patch.js";

export interface LocatedHunk {
  /** 0-based index of the first line it takes the place of. */
  readonly from: number;
  /** How many lines of the file it covers. */
  readonly count: number;
  /** What was overlooked to find it. */
  readonly ignoring?: string;
}

/** Finds where a hunk belongs at or after `cursor`; undefined when its lines are not there. */
export function locateHunk(lines: TextLines, hunk: Hunk, cursor: number): LocatedHunk | undefined {
  const start = afterAnchors(lines, hunk, cursor);
  if (start === undefined) return undefined;
  const wanted = oldLines(hunk);
  if (wanted.length === 0) return { from: insertionPoint(lines, hunk, start), count: 0 };
  for (const { ignoring, same } of COMPARISONS) {
    const from = nearestMatch(lines, wanted, { hunk, start, same });
    if (from !== undefined)
      return { from, count: wanted.length, ...(ignoring === undefined ? {} : { ignoring }) };
  }
  return undefined;
}

type Same = (a: string, b: string) => boolean;

const isEqual: Same = (a, b) => a === b;

const COMPARISONS: readonly { readonly ignoring?: string; readonly same: Same }[] = [
  { same: isEqual },
  { ignoring: "trailing white space", same: (a, b) => a.trimEnd() === b.trimEnd() },
  { ignoring: "indentation", same: (a, b) => a.trim() === b.trim() },
  {
    ignoring: "typographic punctuation",
    same: (a, b) => foldPunctuation(a).trim() === foldPunctuation(b).trim(),
  },
];

function afterAnchors(lines: TextLines, { anchors }: Hunk, cursor: number): number | undefined {
  let start = cursor;
  for (const anchor of anchors) {
    const wanted = anchor.trim();
    const at =
      indexFrom(lines, start, (line) => line.trim() === wanted) ??
      indexFrom(lines, start, (line) => line.includes(anchor));
    if (at === undefined) return undefined;
    start = at + 1;
  }
  // The anchor line itself may be repeated as the hunk's first context line.
  return anchors.length > 0 ? start - 1 : start;
}

function indexFrom(lines: TextLines, start: number, isWanted: (line: string) => boolean): number | undefined {
  for (let index = start; index < lines.length; index += 1) if (isWanted(lines.textAt(index))) return index;
  return undefined;
}

/** A hunk that only adds goes where its header says, below its anchor, or to the end. */
function insertionPoint(lines: TextLines, hunk: Hunk, start: number): number {
  if (hunk.oldStart !== undefined) return Math.max(start, Math.min(hunk.oldStart, lines.length));
  return hunk.anchors.length > 0 ? start + 1 : lines.length;
}

/** The match nearest to where the hunk says it is, or the first one when it does not say. */
function nearestMatch(
  lines: TextLines,
  wanted: readonly string[],
  search: { hunk: Hunk; start: number; same: Same },
): number | undefined {
  const { hunk, start, same } = search;
  const last = lines.length - wanted.length;
  const matchesAt = (from: number) => wanted.every((line, index) => same(lines.textAt(from + index), line));
  if (hunk.isAtEnd) return last >= start && matchesAt(last) ? last : undefined;
  const [first = ""] = wanted;
  if (hunk.oldStart === undefined && same === isEqual && first !== "") {
    let from = lines.indexOf(first, start);
    while (from !== -1 && from <= last && !matchesAt(from)) from = lines.indexOf(first, from + 1);
    return from === -1 || from > last ? undefined : from;
  }
  const expected = Math.min(Math.max((hunk.oldStart ?? 1) - 1, start), Math.max(last, start));
  for (let away = 0; expected - away >= start || expected + away <= last; away += 1) {
    const isBefore = expected - away >= start && expected - away <= last;
    if (isBefore && matchesAt(expected - away)) return expected - away;
    if (expected + away <= last && matchesAt(expected + away)) return expected + away;
  }
  return undefined;
}
