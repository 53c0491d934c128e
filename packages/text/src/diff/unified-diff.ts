import { countLines } from "../lines.js";
import { runAll, type Steps } from "../steps.js";
import { commonEnds } from "./common-ends.js";
import {
  diffLines,
  endOfLinesAfter,
  type LineChange,
  type LineDiff,
  startOfLinesBefore,
} from "./diff-lines.js";
import { buildHunks, type Hunk, hunkHeader } from "./hunks.js";
import { countInSteps, oneSidedHunk, signedLines } from "./one-sided-diff.js";

export interface UnifiedDiffOptions {
  readonly path: string;
  /** Undefined if the file does not exist on that side. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The previous path, if the file was moved. */
  readonly fromPath?: string | undefined;
  readonly contextLines?: number | undefined;
  /** Maximum number of hunk lines to show, not counting `@@` headers. */
  readonly maxLines?: number | undefined;
}

export interface UnifiedDiff {
  /** Empty if there are no changes; ends with a newline otherwise. */
  readonly text: string;
  /** Counts cover the whole change, shown or not. */
  readonly added: number;
  readonly removed: number;
  /**
   * True if lines were left out. The text then ends with a line that counts them and is not a valid patch.
   */
  readonly truncated: boolean;
}

/**
 * Renders the changes as a patch that `git apply` and `patch` accept. Lines ending in "\r\n" keep their "\r".
 */
export function unifiedDiff(options: UnifiedDiffOptions): UnifiedDiff {
  return runAll(unifiedDiffSteps(options));
}

/** The same in steps, so that a diff of millions of lines does not block the thread. */
export function* unifiedDiffSteps(options: UnifiedDiffOptions): Steps<UnifiedDiff> {
  const { before = "", after = "" } = options;
  if (before === "" && after !== "") return yield* printOneSided(options, after, "+");
  if (after === "" && before !== "") return yield* printOneSided(options, before, "-");
  const replaced = yield* printReplaced(options);
  return replaced ?? printDiff(options, diffLines(before, after, contextLinesOf(options)));
}

/** Prints millions of changed lines as replaced, without looking for those that stay. Undefined for fewer lines. */
function* printReplaced(options: UnifiedDiffOptions): Steps<UnifiedDiff | undefined> {
  const { before = "", after = "" } = options;
  if (before.length + after.length <= MAX_MATCHED_LINES) return undefined;
  const { start, beforeEnd, afterEnd } = commonEnds(before, after);
  const [old, replacement] = [before.slice(start, beforeEnd), after.slice(start, afterEnd)];
  const [removed, added] = [yield* countInSteps(old), yield* countInSteps(replacement)];
  if (removed + added <= MAX_MATCHED_LINES) return undefined;
  const contextLines = contextLinesOf(options);
  const contextStart = startOfLinesBefore(before, start, contextLines);
  const head = before.slice(contextStart, start);
  const tail = before.slice(beforeEnd, endOfLinesAfter(before, beforeEnd, contextLines));
  const around = countLines(head) + countLines(tail);
  const firstLine = (yield* countInSteps(before.slice(0, contextStart))) + 1;
  const ranges = {
    oldStart: firstLine,
    oldCount: around + removed,
    newStart: firstLine,
    newCount: around + added,
  };
  const parts = [
    { text: head, sign: " " },
    { text: old, sign: "-", lineCount: removed },
    { text: replacement, sign: "+", lineCount: added },
    { text: tail, sign: " " },
  ] as const;
  const lines = [...header(options), hunkHeader(ranges)];
  let [left, omitted] = [maxLinesOf(options), 0];
  for (const part of parts) {
    const signed = yield* signedLines({ ...part, maxLines: left });
    if (signed.text !== "") lines.push(signed.text);
    left -= signed.lineCount - signed.omitted;
    omitted += signed.omitted;
  }
  return { text: `${[...lines, ...omission(omitted)].join("\n")}\n`, added, removed, truncated: omitted > 0 };
}

// Beyond this, matching lines takes longer than anyone should wait for a diff.
const MAX_MATCHED_LINES = 600_000;

export const DEFAULT_CONTEXT_LINES = 3;

function contextLinesOf({ contextLines = DEFAULT_CONTEXT_LINES }: UnifiedDiffOptions): number {
  return Math.max(0, contextLines);
}

function* printOneSided(options: UnifiedDiffOptions, text: string, sign: "+" | "-"): Steps<UnifiedDiff> {
  const hunk = yield* oneSidedHunk({ text, sign, maxLines: maxLinesOf(options) });
  const lines = [...header(options), ...(hunk.text === "" ? [] : [hunk.text]), ...omission(hunk.omitted)];
  return {
    text: `${lines.join("\n")}\n`,
    added: sign === "+" ? hunk.lineCount : 0,
    removed: sign === "-" ? hunk.lineCount : 0,
    truncated: hunk.omitted > 0,
  };
}

function maxLinesOf({ maxLines = 200 }: UnifiedDiffOptions): number {
  return Math.max(0, maxLines);
}

/** Prints a diff that is already computed. Of the two texts, only whether each exists matters. */
export function printDiff(options: UnifiedDiffOptions, { firstLine, changes }: LineDiff): UnifiedDiff {
  const contextLines = contextLinesOf(options);
  const hunks = buildHunks(changes, firstLine, contextLines);
  const body = printHunks(hunks, maxLinesOf(options));
  const isChanged = hunks.length > 0 || isCreatedMovedOrDeleted(options);
  return {
    text: isChanged ? `${[...header(options), ...body.lines].join("\n")}\n` : "",
    added: sumOf(changes, ({ added }) => added.length),
    removed: sumOf(changes, ({ removed }) => removed.length),
    truncated: body.truncated,
  };
}

function isCreatedMovedOrDeleted({ path, fromPath = path, before, after }: UnifiedDiffOptions): boolean {
  return (before === undefined) !== (after === undefined) || (before !== undefined && path !== fromPath);
}

function header({ path, fromPath = path, before, after }: UnifiedDiffOptions): string[] {
  const from = before === undefined ? "/dev/null" : quoteDiffPath(`a/${fromPath}`);
  const to = after === undefined ? "/dev/null" : quoteDiffPath(`b/${path}`);
  return [`--- ${from}`, `+++ ${to}`];
}

function printHunks(hunks: readonly Hunk[], maxLines: number): { lines: string[]; truncated: boolean } {
  const lines: string[] = [];
  let left = maxLines;
  let omitted = 0;
  for (const hunk of hunks) {
    const shown = hunk.lines.slice(0, left);
    if (shown.length > 0) lines.push(hunk.header);
    for (const line of shown) lines.push(line);
    left -= shown.length;
    omitted += hunk.lines.length - shown.length;
  }
  lines.push(...omission(omitted));
  return { lines, truncated: omitted > 0 };
}

function omission(count: number): readonly string[] {
  return count === 0 ? [] : [`… ${count} more ${count === 1 ? "line" : "lines"} of this diff not shown`];
}

function sumOf(changes: readonly LineChange[], count: (change: LineChange) => number): number {
  return changes.reduce((sum, change) => sum + count(change), 0);
}

/** Quotes a file name as git does if it would break the header line. Leaves other names readable. */
function quoteDiffPath(path: string): string {
  if (!unsafe.test(path)) return path;
  return `"${path.replace(everyUnsafe, (character) => named[character] ?? octal(character))}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may hold them, a header line may not.
const unsafe = /["\\\0-\x1f\x7f]/;
const everyUnsafe = new RegExp(unsafe, "g");

const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
