import { diffLines, type LineChange, type LineDiff } from "./diff-lines.js";
import { buildHunks, type Hunk } from "./hunks.js";
import { quoteDiffPath } from "./quote-diff-path.js";

export interface UnifiedDiffOptions {
  readonly path: string;
  /** Undefined: the file does not exist on that side. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** The name before, when the file was moved. */
  readonly fromPath?: string | undefined;
  readonly contextLines?: number | undefined;
  /** How many lines of the hunks are shown, their `@@` headers not counted. */
  readonly maxLines?: number | undefined;
}

export interface UnifiedDiff {
  /** Empty when nothing changed. Ends with a newline otherwise. */
  readonly text: string;
  /** Counted over the whole change, shown or not. */
  readonly added: number;
  readonly removed: number;
  /** A truncated diff ends with a line that says how many lines are missing, and is no longer a patch. */
  readonly truncated: boolean;
}

/** What changed, as a patch that `git apply` and `patch` take. Lines that end in "\r\n" keep their "\r". */
export function unifiedDiff(options: UnifiedDiffOptions): UnifiedDiff {
  const contextLines = contextLinesOf(options);
  return printDiff(options, diffLines(options.before ?? "", options.after ?? "", contextLines));
}

export const DEFAULT_CONTEXT_LINES = 3;

function contextLinesOf({ contextLines = DEFAULT_CONTEXT_LINES }: UnifiedDiffOptions): number {
  return Math.max(0, contextLines);
}

/** A difference that is known already; of the texts it only matters whether there are any. */
export function printDiff(options: UnifiedDiffOptions, { firstLine, changes }: LineDiff): UnifiedDiff {
  const contextLines = contextLinesOf(options);
  const hunks = buildHunks(changes, firstLine, contextLines);
  const body = printHunks(hunks, Math.max(0, options.maxLines ?? 200));
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
  let lines: string[] = [];
  let left = maxLines;
  let omitted = 0;
  for (const hunk of hunks) {
    const shown = hunk.lines.slice(0, left);
    if (shown.length > 0) lines = lines.concat(hunk.header, shown);
    left -= shown.length;
    omitted += hunk.lines.length - shown.length;
  }
  if (omitted > 0) lines.push(`… ${omitted} more ${omitted === 1 ? "line" : "lines"} of this diff not shown`);
  return { lines, truncated: omitted > 0 };
}

function sumOf(changes: readonly LineChange[], count: (change: LineChange) => number): number {
  return changes.reduce((sum, change) => sum + count(change), 0);
}
