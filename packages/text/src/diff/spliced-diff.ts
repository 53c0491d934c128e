import { countLines } from "../lines.js";
import { type Splice, spliceText } from "../splice-text.js";
import { diffLines, endOfLinesAfter, type LineDiff, startOfLinesBefore } from "./diff-lines.js";
import { DEFAULT_CONTEXT_LINES, printDiff, type UnifiedDiff, unifiedDiff } from "./unified-diff.js";

export interface SplicedDiffOptions {
  readonly path: string;
  readonly before: string;
  /** Sorted and non-overlapping. */
  readonly splices: readonly Splice[];
  /** 1-based line where the first splice starts, if known; counted otherwise. */
  readonly startLine?: number | undefined;
  /** As in `unifiedDiff`. */
  readonly maxLines?: number | undefined;
  /** Set if `before` is only a part of the text, in whole lines; requires `startLine`. */
  readonly part?: PartOfText | undefined;
}

export interface PartOfText {
  readonly isStart: boolean;
  readonly isEnd: boolean;
  /** Returns the whole text and its splices, for changes that the part alone cannot settle. */
  whole(): Pick<SplicedDiffOptions, "before" | "splices">;
}

/**
 * Returns the `unifiedDiff` between a text and the same text with splices applied. Usually it inspects only
 * the lines around the splices and never builds the new text.
 */
export function splicedDiff(options: SplicedDiffOptions): UnifiedDiff {
  const { path, maxLines } = options;
  const diff = diffAround(options);
  if (diff !== undefined) return printDiff({ path, before: "", after: "", maxLines }, diff);
  const { before, splices } = options.part?.whole() ?? options;
  return unifiedDiff({ path, before, after: spliceText(before, splices), maxLines });
}

/**
 * Returns undefined if neighbouring lines equal the changed ones: only the whole texts show which lines
 * moved.
 */
function diffAround({ before, splices, startLine, part }: SplicedDiffOptions): LineDiff | undefined {
  const first = splices[0];
  const last = splices.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const changedStart = startOfLine(before, first.start);
  const start = startOfLinesBefore(before, changedStart, DEFAULT_CONTEXT_LINES);
  const changedEnd = endOfLinesAfter(before, last.end, 1);
  const end = endOfLinesAfter(before, changedEnd, DEFAULT_CONTEXT_LINES + 1);
  if (part !== undefined && ((start === 0 && !part.isStart) || (end === before.length && !part.isEnd)))
    return undefined;
  const around = before.slice(start, end);
  const spliced = spliceText(
    around,
    splices.map((splice) => moved(splice, -start)),
  );
  const { firstLine, middleEnd, changes } = diffLines(around, spliced, DEFAULT_CONTEXT_LINES);
  if (end < before.length && start + middleEnd > changedEnd) return undefined;
  const linesAbove =
    startLine === undefined
      ? countLines(before.slice(0, start))
      : startLine - 1 - countLines(before.slice(start, changedStart));
  return { firstLine: linesAbove + firstLine, middleEnd, changes };
}

function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function moved({ start, end, replacement }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, replacement };
}
