import type { Pace } from "@haft/core/workspace";
import { foldPunctuation } from "../edit/fold-punctuation.js";
import { visitRuns } from "../text/line-runs.js";
import type { TextLines } from "../text/text-lines.js";
import { type HunkLine, isOldLine, type MarkedHunk, oldLines } from "./patch.js";

interface LocatedHunk {
  /** 0-based index of the first line that the hunk replaces. */
  readonly from: number;
  /** The lines of the hunk as they fit there. */
  readonly lines: readonly HunkLine[];
  /** How many lines of the file it covers. */
  readonly count: number;
  /** The difference that was ignored to find it. */
  readonly ignoring?: string;
}

interface SearchStart {
  /** The line after the previous hunk. */
  readonly cursor: number;
  /** The 1-based line that the hunk names. */
  readonly near: number | undefined;
  readonly pace: Pace;
}

/** Finds where a hunk belongs at or after the cursor. Undefined if its lines are not there. */
export async function locateHunk(
  lines: TextLines,
  hunk: MarkedHunk,
  { cursor, near, pace }: SearchStart,
): Promise<LocatedHunk | undefined> {
  const below = await belowAnchors(lines, hunk, { cursor, pace });
  if (below === undefined) return undefined;
  // A hunk that only adds goes below its anchor, or to the end.
  const from = hunk.anchors.length > 0 ? below : lines.length;
  const added: LocatedHunk = { from, lines: hunk.lines, count: 0 };
  const oldCount = oldLines(hunk).length;
  if (oldCount === 0) return added;
  // A hunk may repeat its anchor as its first context line. As in codex, a place below the anchor takes precedence.
  for (const start of below > cursor ? [below, below - 1] : [below]) {
    const search = { isAtEnd: hunk.isAtEnd, start, near, pace };
    const found =
      (await locateOldLines(lines, hunk, search)) ?? (await locateWithAddedBlank(lines, hunk, search));
    if (found !== undefined) return found;
  }
  return oldCount === trailingBlankLines(hunk) ? added : undefined;
}

async function locateOldLines(
  lines: TextLines,
  hunk: Pick<MarkedHunk, "lines">,
  search: Search,
): Promise<LocatedHunk | undefined> {
  const wanted = hunk.lines.filter(isOldLine).map(({ text }) => text);
  const blank = trailingBlankLines(hunk);
  // Blank lines that only separate hunks are not context. Codex passes over one of them.
  for (const dropped of new Set([0, Math.min(1, blank), blank])) {
    const kept = wanted.slice(0, wanted.length - dropped);
    const found = kept.length === 0 ? undefined : await locateLines(lines, kept, search);
    if (found !== undefined) return { ...found, lines: hunk.lines };
  }
  return undefined;
}

/** As in codex, an empty line between added ones that is not in the file is itself added: it lost its `+`. */
async function locateWithAddedBlank(
  lines: TextLines,
  { lines: own }: MarkedHunk,
  search: Search,
): Promise<LocatedHunk | undefined> {
  const last = own.findLastIndex(isOldLine);
  const isBlankBetween = own[last]?.kind === "keep" && own[last].text === "" && last < own.length - 1;
  if (!isBlankBetween) return undefined;
  return locateOldLines(lines, { lines: own.with(last, { kind: "add", text: "" }) }, search);
}

function trailingBlankLines({ lines }: Pick<MarkedHunk, "lines">): number {
  return lines.length - 1 - lines.findLastIndex(({ kind, text }) => kind !== "keep" || text !== "");
}

type Search = Pick<SearchStart, "near" | "pace"> & Pick<MarkedHunk, "isAtEnd"> & { readonly start: number };

async function locateLines(
  lines: TextLines,
  wanted: readonly string[],
  search: Search,
): Promise<Omit<LocatedHunk, "lines"> | undefined> {
  for (const { ignoring, keyOf } of COMPARISONS) {
    const from = await nearestMatch(lines, wanted, { ...search, keyOf });
    if (from !== undefined)
      return { from, count: wanted.length, ...(ignoring === undefined ? {} : { ignoring }) };
  }
  return undefined;
}

/** Returns a key; two lines match if their keys are equal. */
type KeyOf = (line: string) => string;

const COMPARISONS: readonly { readonly ignoring?: string; readonly keyOf: KeyOf }[] = [
  { keyOf: (line) => line },
  { ignoring: "trailing white space", keyOf: (line) => line.trimEnd() },
  { ignoring: "indentation", keyOf: (line) => line.trim() },
  { ignoring: "typographic punctuation", keyOf: (line) => foldPunctuation(line).trim() },
];

/** Returns the line below the last anchor. An anchor above the cursor also served an earlier hunk and moves nothing. */
async function belowAnchors(
  lines: TextLines,
  { anchors }: MarkedHunk,
  { cursor, pace }: Pick<SearchStart, "cursor" | "pace">,
): Promise<number | undefined> {
  let below = cursor;
  for (const anchor of anchors) {
    const at = await anchorLine(lines, anchor, { from: below, to: lines.length, pace });
    if (at !== undefined) below = at + 1;
    else if ((await anchorLine(lines, anchor, { from: 0, to: below, pace })) === undefined) return undefined;
  }
  return below;
}

interface AnchorSearch {
  readonly from: number;
  readonly to: number;
  readonly pace: Pace;
}

/** Finds an equal line, compared as the lines of hunks are, or else a line that contains the anchor. */
async function anchorLine(
  lines: TextLines,
  anchor: string,
  { from, to, pace }: AnchorSearch,
): Promise<number | undefined> {
  const comparisons = COMPARISONS.map(({ keyOf }) => ({ keyOf, key: keyOf(anchor) }));
  const text = anchor.trim();
  let found: number | undefined;
  /** How many comparisons may still find a better line. */
  let left = comparisons.length;
  for (let index = from; index < to; index += 1) {
    if (index % 256 === 0) await pace.breathe();
    const line = lines.textAt(index).slice(0, MAX_ANCHOR_LINE);
    const rank = comparisons.findIndex(({ keyOf, key }, at) => at < left && keyOf(line) === key);
    if (rank === 0) return index;
    if (rank > 0) [found, left] = [index, rank];
    else if (found === undefined && line.includes(text)) found = index;
  }
  return found;
}

const MAX_ANCHOR_LINE = 10_000;

/** Returns the match nearest to the line the hunk names, or the first if it names none. */
async function nearestMatch(
  lines: TextLines,
  wanted: readonly string[],
  { isAtEnd, start, near, pace, keyOf }: Search & { readonly keyOf: KeyOf },
): Promise<number | undefined> {
  const last = lines.length - wanted.length;
  const run = wanted.map(keyOf);
  if (isAtEnd) {
    const isThere = last >= start && run.every((key, index) => keyOf(lines.textAt(last + index)) === key);
    return isThere ? last : undefined;
  }
  const expected = Math.min(Math.max((near ?? 1) - 1, start), Math.max(last, start));
  let found: number | undefined;
  const visit = (from: number): boolean => {
    if (found === undefined || Math.abs(from - expected) < Math.abs(found - expected)) found = from;
    return near === undefined || from >= expected;
  };
  const keyed = { length: lines.length, keyAt: (index: number) => keyOf(lines.textAt(index)) };
  await visitRuns(keyed, run, { from: start, pace, visit });
  return found;
}
