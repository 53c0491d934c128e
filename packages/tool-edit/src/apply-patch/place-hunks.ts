import { ToolError } from "@haft/core";
import type { Pace } from "@haft/core/workspace";
import type { LineSpan, Splice } from "@haft/text";
import { TextLines } from "../text/text-lines.js";
import { type ChangedBlock, changedBlocks } from "./changed-blocks.js";
import { locateHunk } from "./locate-hunk.js";
import { type Hunk, type MarkedHunk, oldLines } from "./patch.js";

export interface HunkOutcome {
  /** The resulting splices; empty if a hunk has no place. */
  readonly splices: readonly Splice[];
  readonly failures: readonly HunkFailure[];
  readonly notes: readonly string[];
}

export interface HunkFailure {
  readonly hunk: Hunk;
  readonly wanted: readonly string[];
  readonly anchors?: readonly string[];
  /** Why matching lines in the file do not count. */
  readonly reason?: string;
}

/** Finds the place of every hunk of an `*** Update File` section, or reports those without one. */
export async function placeHunks(
  text: string,
  hunks: readonly MarkedHunk[],
  { linesAbove, pace }: { linesAbove: number; pace: Pace },
): Promise<HunkOutcome> {
  const lines = patchedLines(text);
  const blocks: ChangedBlock[] = [];
  const failures: HunkFailure[] = [];
  const notes: string[] = [];
  let cursor = 0;
  for (const hunk of hunks) {
    await pace.breathe();
    const near = hunk.near === undefined ? undefined : hunk.near - linesAbove;
    const isLookedFor = failures.length < MAX_FAILURES;
    const located = isLookedFor ? await locateHunk(lines, hunk, { cursor, near, pace }) : undefined;
    if (located === undefined) {
      failures.push({ hunk, wanted: oldLines(hunk).map((line) => line.text), anchors: hunk.anchors });
      continue;
    }
    if (located.ignoring !== undefined)
      notes.push(`${hunk.label} matched ignoring ${located.ignoring} at line ${located.from + 1}`);
    blocks.push(...changedBlocks(located, located.from));
    // Lines that a hunk without anchor appends to the file leave the place of the next hunk open.
    if (located.count > 0 || hunk.anchors.length > 0) cursor = located.from + located.count;
  }
  if (failures.length > 0) return { splices: [], failures, notes };
  return { splices: inOrder(blocks, lines).map((block) => spliceOf(lines, block)), failures, notes };
}

/** Sorts by place and joins what changes the end of the file, where lines may be removed and others appended. */
function inOrder(blocks: readonly ChangedBlock[], lines: TextLines): readonly ChangedBlock[] {
  const sorted = blocks.toSorted((left, right) => left.first - right.first);
  const tail = sorted.findIndex(({ end }) => end >= lines.length);
  const [first, ...others] = tail === -1 ? [] : sorted.slice(tail);
  if (first === undefined || others.length === 0) return sorted;
  return [
    ...sorted.slice(0, tail),
    { ...first, end: lines.length, added: [first, ...others].flatMap(({ added }) => added) },
  ];
}

// Each search may scan the whole file. With this many failures the patch was made for another file.
export const MAX_FAILURES = 20;

/** Splits a file into lines. Throws if it has too many to search in time. */
export function patchedLines(text: string): TextLines {
  if (text.length > MAX_LINES) {
    let count = 0;
    for (let at = text.indexOf("\n"); at !== -1 && count <= MAX_LINES; at = text.indexOf("\n", at + 1))
      count += 1;
    if (count > MAX_LINES)
      throw new ToolError(
        "FILE_TOO_LARGE",
        `The file has more than ${MAX_LINES} lines; nothing was changed`,
        {
          hint: "[[edit]] works with a text that occurs once. [[edit_lines]] works with line numbers.",
        },
      );
  }
  return new TextLines(text);
}

const MAX_LINES = 2_000_000;

/** Removes and adds only changed lines. */
function spliceOf(lines: TextLines, { first, end, added }: ChangedBlock): Splice {
  const near = [first, first - 1, first - 2].map((index) => lines.spanAt(index)?.ending);
  const ending = near.find((each) => each !== undefined && each !== "") ?? "\n";
  const isTail = end >= lines.length;
  const start = lines.spanAt(first)?.start ?? endOf(lines.spanAt(lines.length - 1));
  const stop = end > first ? endOf(lines.spanAt(end - 1)) : start;
  // An empty line without an ending would be no line at all.
  const lastEnding = isTail && endsOpen(lines) && added.at(-1)?.text !== "" ? "" : ending;
  const own = added.map(
    ({ text }, index) =>
      text +
      (index < added.length - 1
        ? lines.spanAt(Math.min(first + index, Math.max(first, end - 1)))?.ending || ending
        : lastEnding),
  );
  const needsBreak = start > 0 && first >= lines.length && lines.spanAt(lines.length - 1)?.ending === "";
  return { start, end: stop, replacement: (needsBreak && added.length > 0 ? ending : "") + own.join("") };
}

/** A file without a final newline keeps it that way, because the grammar cannot express otherwise. */
function endsOpen(lines: TextLines): boolean {
  return lines.length > 0 && lines.spanAt(lines.length - 1)?.ending === "";
}

function endOf(span: LineSpan | undefined): number {
  return span === undefined ? 0 : span.end + span.ending.length;
}
