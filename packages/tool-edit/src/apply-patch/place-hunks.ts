import type { LineSpan, Splice } from "@haft/text";
import type { SearchPace } from "../text/search-pace.js";
import { TextLines } from "../text/text-lines.js";
import { type LocatedHunk, locateHunk } from "./locate-hunk.js";
import { type Hunk, oldLines } from "./patch.js";

export interface HunkOutcome {
  /** What the hunks make of the text; none when one of them has no place. */
  readonly splices: readonly Splice[];
  readonly failures: readonly HunkFailure[];
  readonly notes: readonly string[];
}

export interface HunkFailure {
  readonly hunk: Hunk;
  readonly wanted: readonly string[];
}

/** Finds the place of every hunk of a file, or reports all that have none. */
export async function placeHunks(
  text: string,
  hunks: readonly Hunk[],
  pace: SearchPace,
): Promise<HunkOutcome> {
  const lines = new TextLines(text);
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
    for (const splice of splicesOf(lines, hunk, located)) splices.push(splice);
    cursor = located.from + located.count;
  }
  return { splices: failures.length > 0 ? [] : splices, failures, notes };
}

/** Only removed and added lines are cut; kept lines stay as they are, white space and ending included. */
function splicesOf(lines: TextLines, hunk: Hunk, { from }: LocatedHunk): readonly Splice[] {
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
    splices.push(spliceOf(lines, { first, end: at, added, hunk }));
  }
  return splices;
}

function spliceOf(
  lines: TextLines,
  block: { first: number; end: number; added: readonly string[]; hunk: Hunk },
): Splice {
  const { first, end, added, hunk } = block;
  const ending = lines.spanAt(first)?.ending || lines.spanAt(first - 1)?.ending || "\n";
  const isTail = end >= lines.length;
  const start = lines.spanAt(first)?.start ?? endOf(lines.spanAt(lines.length - 1));
  const stop = end > first ? endOf(lines.spanAt(end - 1)) : start;
  const lastEnding = isTail && endsOpen(lines, hunk) ? "" : ending;
  const own = added.map(
    (line, index) =>
      line +
      (index < added.length - 1
        ? lines.spanAt(Math.min(first + index, Math.max(first, end - 1)))?.ending || ending
        : lastEnding),
  );
  const needsBreak = start > 0 && first >= lines.length && lines.spanAt(lines.length - 1)?.ending === "";
  return { start, end: stop, replacement: (needsBreak && added.length > 0 ? ending : "") + own.join("") };
}

/** A file that ended without a line ending goes on doing so, unless the patch says otherwise. */
function endsOpen(lines: TextLines, hunk: Hunk): boolean {
  if (hunk.oldEndsOpen === true || hunk.newEndsOpen === true) return hunk.newEndsOpen === true;
  return lines.length > 0 && lines.spanAt(lines.length - 1)?.ending === "";
}

function endOf(span: LineSpan | undefined): number {
  return span === undefined ? 0 : span.end + span.ending.length;
}
