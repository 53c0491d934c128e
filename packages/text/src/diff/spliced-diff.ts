import { countLines } from "../lines.js";
import { type Splice, spliceText } from "../splice-text.js";
import { diffLines, endOfLinesAfter, type LineDiff, startOfLinesBefore } from "./diff-lines.js";
import { DEFAULT_CONTEXT_LINES, printDiff, type UnifiedDiff, unifiedDiff } from "./unified-diff.js";

export interface SplicedDiffOptions {
  readonly path: string;
  readonly before: string;
  /** In order and not overlapping. */
  readonly splices: readonly Splice[];
  /** The 1-based line in which the first splice starts, where that is known: it is counted otherwise. */
  readonly startLine?: number | undefined;
  /** As for `unifiedDiff`. */
  readonly maxLines?: number | undefined;
  /** Set where `before` is only a part of the text, of whole lines; `startLine` must be known then. */
  readonly part?: PartOfText | undefined;
}

export interface PartOfText {
  readonly isStart: boolean;
  readonly isEnd: boolean;
  /** The whole, for where the part alone does not tell. */
  whole(): Pick<SplicedDiffOptions, "before" | "splices">;
}

/**
 * The same as `unifiedDiff` of a text and what splices make of it. Where the change is known only the
 * lines around it are looked at, and the new text is never put together.
 */
export function splicedDiff(options: SplicedDiffOptions): UnifiedDiff {
  const { path, maxLines } = options;
  const diff = diffAround(options);
  if (diff !== undefined) return printDiff({ path, before: "", after: "", maxLines }, diff);
  const { before, splices } = options.part?.whole() ?? options;
  return unifiedDiff({ path, before, after: spliceText(before, splices), maxLines });
}

/** Undefined where lines like the changed ones stand next to them: then the whole texts decide what moved. */
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
