import type { Pace } from "@haft/core/workspace";
import type { Splice } from "@haft/text";
import type { TextLines } from "../text/text-lines.js";
import { type ChangedBlock, changedBlocks } from "./changed-blocks.js";
import { isCrlfOnly } from "./converted-patch.js";
import {
  constraints,
  type LineComparison,
  locateDiffHunk,
  SAME_LINE,
  SAME_TEXT,
  type SearchedLines,
} from "./locate-diff-hunk.js";
import { type DiffHunk, oldLines } from "./patch.js";
import { type HunkFailure, type HunkOutcome, MAX_FAILURES, patchedLines } from "./place-hunks.js";
import { PlacedRegions } from "./placed-regions.js";

interface DiffPlacing {
  readonly isZeroContext: boolean;
  /** The patch creates the file, so its line numbers are meaningless. */
  readonly isNew: boolean;
  /** Whether another file shows that the patch lost its carriage returns. */
  readonly lostReturns: boolean;
  readonly linesAbove?: number;
  readonly pace: Pace;
}

/** Finds the place of every hunk of a unified diff, or reports those without one. */
export async function placeDiffHunks(
  text: string,
  hunks: readonly DiffHunk[],
  placing: DiffPlacing,
): Promise<HunkOutcome> {
  const lines = patchedLines(text);
  const outcome = await placeAll(lines, hunks, { ...placing, rule: EXACT });
  const isMeant = outcome.failures.length === 0 && !(placing.lostReturns && isCrlfOnly(text));
  if (isMeant || !mayIgnoreEndings(text, hunks)) return outcome;
  return placeAll(lines, hunks, { ...placing, rule: ANY_ENDING });
}

/** A diff without carriage returns, as models write them, also fits a file with CRLF line endings. */
function mayIgnoreEndings(text: string, hunks: readonly DiffHunk[]): boolean {
  const saysCrlf = hunks.some(({ lines }) => lines.some((line) => line.text.endsWith("\r")));
  return !saysCrlf && text.includes("\r\n");
}

interface Comparison {
  readonly comparison: LineComparison;
  /** Added lines take the line endings of the file. */
  readonly adaptsEndings: boolean;
  readonly notes: readonly string[];
}

const EXACT: Comparison = { comparison: SAME_LINE, adaptsEndings: false, notes: [] };
const ANY_ENDING: Comparison = {
  comparison: SAME_TEXT,
  adaptsEndings: true,
  notes: ["The patch matched ignoring line endings; added lines have those of the file"],
};

async function placeAll(
  lines: TextLines,
  hunks: readonly DiffHunk[],
  { rule, linesAbove = 0, pace, ...placing }: DiffPlacing & { rule: Comparison },
): Promise<HunkOutcome> {
  const { comparison, adaptsEndings, notes } = rule;
  const searched: SearchedLines = { lines, placed: new PlacedRegions(), linesAbove, pace, ...placing };
  const { placed } = searched;
  const failures: HunkFailure[] = [];
  for (const hunk of hunks) {
    await pace.breathe();
    const place =
      failures.length < MAX_FAILURES ? await locateDiffHunk(searched, hunk, comparison) : undefined;
    if (place === undefined) {
      const wanted = oldLines(hunk).map((line) => line.text);
      failures.push({ hunk, wanted, ...(await reason(searched, hunk, comparison)) });
      continue;
    }
    if ("from" in place) placed.add(place.from, hunk.lines);
    else placed.insert(place.position, hunk.lines);
  }
  const splices =
    failures.length > 0 ? [] : placed.all.flatMap((region) => splicesOf(lines, region, adaptsEndings));
  return { splices, failures, notes };
}

function splicesOf(
  lines: TextLines,
  region: PlacedRegions["all"][number],
  adaptsEndings: boolean,
): readonly Splice[] {
  return changedBlocks(region, region.from).map((block) => spliceOf(lines, block, adaptsEndings));
}

/** Explains a hunk whose lines exist, but not where a hunk without context must be. */
async function reason(
  searched: SearchedLines,
  hunk: DiffHunk,
  comparison: LineComparison,
): Promise<{ readonly reason?: string }> {
  const { isAtStart, isAtEnd } = constraints(hunk, searched.isZeroContext);
  if (oldLines(hunk).length === 0 && isAtEnd)
    return { reason: "it names no line of the file, so the file must be empty; add lines as context" };
  if (oldLines(hunk).length === 0 || (!isAtStart && !isAtEnd)) return {};
  const free = await locateDiffHunk(
    { ...searched, isZeroContext: true },
    { ...hunk, oldStart: 2 },
    comparison,
  );
  if (free === undefined || !("from" in free)) return {};
  const line = searched.linesAbove + free.from + 1;
  return isAtEnd
    ? {
        reason: `its lines are at line ${line}, but a hunk that ends without a context line must reach the end of the file; add the lines that follow as context`,
      }
    : {
        reason: `its lines are at line ${line}, but a hunk that starts at line 1 must be at the start of the file; correct the line numbers`,
      };
}

/** Removes and adds only changed lines, so that every other byte stays the same. */
function spliceOf(lines: TextLines, { first, end, added }: ChangedBlock, adaptsEndings: boolean): Splice {
  const ending = adaptsEndings ? endingNear(lines, first) : "\n";
  const replacement = added.map(({ text, isOpen }) => text + (isOpen === true ? "" : ending)).join("");
  return { start: startOf(lines, first), end: startOf(lines, end), replacement };
}

function startOf(lines: TextLines, index: number): number {
  const span = lines.spanAt(index);
  if (span !== undefined) return span.start;
  const last = lines.spanAt(lines.length - 1);
  return last === undefined ? 0 : last.end + last.ending.length;
}

function endingNear(lines: TextLines, index: number): string {
  return lines.spanAt(index)?.ending || lines.spanAt(index - 1)?.ending || "\r\n";
}
