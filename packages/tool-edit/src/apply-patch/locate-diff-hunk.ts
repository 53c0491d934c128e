import type { Pace } from "@haft/core/workspace";
import { visitRuns } from "../text/line-runs.js";
import type { TextLines } from "../text/text-lines.js";
import { type DiffHunk, type HunkLine, oldLines } from "./patch.js";
import type { PlacedRegions } from "./placed-regions.js";

/** The file to search for hunks, or the part that was read. */
export interface SearchedLines {
  readonly lines: TextLines;
  readonly placed: PlacedRegions;
  /** The number of lines above the part. */
  readonly linesAbove: number;
  readonly isNew: boolean;
  /**
   * No hunk of the patch has context lines (`diff -U0`), so missing context says nothing about the ends of the file.
   */
  readonly isZeroContext: boolean;
  readonly pace: Pace;
}

/** How lines of a hunk are compared with those of a file. Keys are equal exactly if the lines match. */
export interface LineComparison {
  isSame(lines: TextLines, index: number, line: HunkLine): boolean;
  keyOf(lines: TextLines, index: number): string;
  keyOfLine(line: HunkLine): string;
}

/** Compares bytes, including the line ending. */
export const SAME_LINE: LineComparison = {
  isSame(lines, index, { text, isOpen = false }) {
    const span = lines.spanAt(index);
    if (span === undefined || (span.ending === "") !== isOpen) return false;
    const isCrlf = span.ending === "\r\n";
    const length = span.end - span.start;
    if (text.length !== (isCrlf ? length + 1 : length)) return false;
    return lines.textAt(index) === (isCrlf ? text.slice(0, -1) : text) && (!isCrlf || text.endsWith("\r"));
  },
  keyOf(lines, index) {
    return lines.textAt(index) + (lines.spanAt(index)?.ending ?? "");
  },
  keyOfLine: ({ text, isOpen }) => text + (isOpen === true ? "" : "\n"),
};

/** Compares text, ignoring line endings. */
export const SAME_TEXT: LineComparison = {
  isSame(lines, index, { text, isOpen = false }) {
    const span = lines.spanAt(index);
    return span !== undefined && (span.ending === "") === isOpen && lines.textAt(index) === text;
  },
  keyOf: (lines, index) => lines.textAt(index) + (lines.spanAt(index)?.ending === "" ? "" : "\n"),
  keyOfLine: SAME_LINE.keyOfLine,
};

/** Where a hunk applies: at a line of the original, or at a position in the file as the previous hunks left it. */
type DiffHunkPlace = { readonly from: number } | { readonly position: number };

/** Finds the place of a hunk as `git apply` does without fuzz: nearest to the line it names. */
export async function locateDiffHunk(
  searched: SearchedLines,
  hunk: DiffHunk,
  comparison: LineComparison,
): Promise<DiffHunkPlace | undefined> {
  const wanted = oldLines(hunk);
  const { isAtStart } = constraints(hunk, searched.isZeroContext);
  const position = (isAtStart ? 0 : Math.max(0, hunk.newStart - 1)) - searched.linesAbove;
  if (wanted.length === 0 && searched.isZeroContext) return insertionPoint(searched, position);
  const from = await lineOf(searched, hunk, { position, comparison });
  return from === undefined ? undefined : { from };
}

/** Returns the line where the old lines of a hunk start. */
async function lineOf(
  searched: SearchedLines,
  hunk: DiffHunk,
  { position, comparison }: { position: number; comparison: LineComparison },
): Promise<number | undefined> {
  const { lines, placed, linesAbove, isZeroContext } = searched;
  const wanted = oldLines(hunk);
  const last = lines.length - wanted.length;
  const { isAtStart, isAtEnd } = constraints(hunk, isZeroContext);
  if (isAtStart || isAtEnd) {
    const from = isAtStart ? 0 : last;
    const reachesStart = !isAtStart || (linesAbove === 0 && placed.toCurrent(from) === 0);
    const reachesEnd =
      !isAtEnd || (from === last && placed.toCurrent(from) + wanted.length === lines.length + placed.shift);
    return reachesStart &&
      reachesEnd &&
      from >= 0 &&
      from <= last &&
      new Window(searched, wanted, comparison).matches(from)
      ? from
      : undefined;
  }
  return nearest(searched, { position, last, window: new Window(searched, wanted, comparison) });
}

/** Compares old lines of a hunk with the file, and counts how many it compared. */
class Window {
  compared = 0;
  readonly #searched: SearchedLines;
  readonly #wanted: readonly HunkLine[];
  readonly #comparison: LineComparison;

  constructor(searched: SearchedLines, wanted: readonly HunkLine[], comparison: LineComparison) {
    this.#searched = searched;
    this.#wanted = wanted;
    this.#comparison = comparison;
  }

  matches(from: number): boolean {
    const { lines, placed } = this.#searched;
    const isSame = this.#wanted.every((line, index) => {
      this.compared += 1;
      return this.#comparison.isSame(lines, from + index, line);
    });
    return isSame && !placed.overlaps(from, from + this.#wanted.length);
  }

  /** Every place where the lines match, found in one pass. */
  async all(): Promise<readonly number[]> {
    const { lines, placed, pace } = this.#searched;
    const { keyOf, keyOfLine } = this.#comparison;
    const starts: number[] = [];
    const visit = (start: number): boolean => {
      if (!placed.overlaps(start, start + this.#wanted.length)) starts.push(start);
      return false;
    };
    const keyed = { length: lines.length, keyAt: (index: number) => keyOf(lines, index) };
    await visitRuns(keyed, this.#wanted.map(keyOfLine), { from: 0, pace, visit });
    return starts;
  }
}

/** A hunk that starts at line 1 or ends without context is bound to that end of the file. */
export function constraints(
  hunk: DiffHunk,
  isZeroContext: boolean,
): { isAtStart: boolean; isAtEnd: boolean } {
  const isOpen = hunk.lines.some((line) => line.kind !== "add" && line.isOpen === true);
  if (isZeroContext) return { isAtStart: hunk.oldStart === 0, isAtEnd: isOpen };
  return { isAtStart: hunk.oldStart <= 1, isAtEnd: isOpen || hunk.lines.at(-1)?.kind !== "keep" };
}

function insertionPoint(
  { lines, placed, isNew }: SearchedLines,
  position: number,
): DiffHunkPlace | undefined {
  const end = lines.length + placed.shift;
  if (position < 0 || (position > end && !isNew)) return undefined;
  return { position: Math.min(position, end) };
}

/** Tries lines at a growing distance from the position, below before above. */
async function nearest(
  { lines, placed, pace }: SearchedLines,
  { position, last, window }: { position: number; last: number; window: Window },
): Promise<number | undefined> {
  const start = Math.min(Math.max(0, placed.toOriginal(Math.max(0, position))), last + 1);
  const distance = (from: number) => Math.abs(placed.toCurrent(from) - position);
  let [below, above] = [start, start - 1];
  while (below <= last || above >= 0) {
    if ((below + above) % 256 === 0) await pace.breathe();
    // Where most lines are alike, every place is compared to its end.
    if (window.compared > MAX_COMPARED + 4 * lines.length) return nearestOf(await window.all(), distance);
    const down = below <= last ? distance(below) : Number.POSITIVE_INFINITY;
    const up = above >= 0 ? distance(above) : Number.POSITIVE_INFINITY;
    const from = down <= up ? below++ : above--;
    if (window.matches(from)) return from;
  }
  return undefined;
}

const MAX_COMPARED = 100_000;

function nearestOf(starts: readonly number[], distance: (from: number) => number): number | undefined {
  let best: number | undefined;
  for (const from of starts) if (best === undefined || distance(from) <= distance(best)) best = from;
  return best;
}
