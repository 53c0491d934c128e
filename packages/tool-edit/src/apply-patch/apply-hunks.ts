import { type LineSpan, lineSpans, type Splice, spliceText } from "@haft/text";
import type { SearchPace } from "../text/search-pace.js";
import { type LocatedHunk, locateHunk } from "./locate-hunk.js";
import { type Hunk, oldLines } from "./patch.js";

export interface HunkOutcome {
  readonly text: string;
  readonly failures: readonly HunkFailure[];
  readonly notes: readonly string[];
}

export interface HunkFailure {
  readonly hunk: Hunk;
  readonly wanted: readonly string[];
}

/** Applies all hunks of a file to its text, or reports every one that has no place. */
export async function applyHunks(
  text: string,
  hunks: readonly Hunk[],
  pace: SearchPace,
): Promise<HunkOutcome> {
  const spans = lineSpans(text);
  const lines = spans.map(({ start, end }) => text.slice(start, end));
  const splices: Splice[] = [];
  const failures: HunkFailure[] = [];
  const notes: string[] = [];
  let cursor = 0;
  for (const hunk of hunks) {
    await pace.breathe();
    const located = locateHunk(lines, hunk, cursor);
    if (located === undefined) {
      failures.push({ hunk, wanted: oldLines(hunk) });
      continue;
    }
    if (located.ignoring !== undefined)
      notes.push(`${hunk.label} matched ignoring ${located.ignoring} at line ${located.from + 1}`);
    for (const splice of splicesOf(spans, hunk, located)) splices.push(splice);
    cursor = located.from + located.count;
  }
  return { text: failures.length > 0 ? text : spliceText(text, splices), failures, notes };
}

/** Only removed and added lines are cut; kept lines stay as they are, white space and ending included. */
function splicesOf(spans: readonly LineSpan[], hunk: Hunk, { from }: LocatedHunk): readonly Splice[] {
  const splices: Splice[] = [];
  let at = from;
  let index = 0;
  while (index < hunk.lines.length) {
    if (hunk.lines[index]?.kind === "keep") {
      index += 1;
      at += 1;
      continue;
    }
    const first = at;
    const added: string[] = [];
    for (; index < hunk.lines.length && hunk.lines[index]?.kind !== "keep"; index += 1) {
      const line = hunk.lines[index];
      if (line?.kind === "add") added.push(line.text);
      else at += 1;
    }
    splices.push(spliceOf(spans, { first, end: at, added, hunk }));
  }
  return splices;
}

function spliceOf(
  spans: readonly LineSpan[],
  block: { first: number; end: number; added: readonly string[]; hunk: Hunk },
): Splice {
  const { first, end, added, hunk } = block;
  const ending = spans[first]?.ending || spans[first - 1]?.ending || "\n";
  const isTail = end >= spans.length;
  const start = spans[first]?.start ?? endOf(spans.at(-1));
  const stop = end > first ? endOf(spans[end - 1]) : start;
  const lastEnding = isTail && endsOpen(spans, hunk) ? "" : ending;
  const own = added.map(
    (line, index) =>
      line +
      (index < added.length - 1
        ? spans[Math.min(first + index, Math.max(first, end - 1))]?.ending || ending
        : lastEnding),
  );
  const needsBreak = start > 0 && first >= spans.length && spans.at(-1)?.ending === "";
  return { start, end: stop, replacement: (needsBreak && added.length > 0 ? ending : "") + own.join("") };
}

/** A file that ended without a line ending goes on doing so, unless the patch says otherwise. */
function endsOpen(spans: readonly LineSpan[], hunk: Hunk): boolean {
  if (hunk.oldEndsOpen === true || hunk.newEndsOpen === true) return hunk.newEndsOpen === true;
  return spans.length > 0 && spans.at(-1)?.ending === "";
}

function endOf(span: LineSpan | undefined): number {
  return span === undefined ? 0 : span.end + span.ending.length;
}
