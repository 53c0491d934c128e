import type { PatchContext } from "./change-file.js";
import type { UnifiedPatch } from "./parse-patch.js";
import { type FileDiff, type HunkLine, oldLines } from "./patch.js";

/**
 * Returns the files of a patch as its author wrote them. If every line ends in CRLF, git treats the carriage returns as
 * file content, GNU patch does not. A changed file decides: if it contains no CRLF, git's reading is impossible.
 */
export async function asWritten(
  { files, isConverted }: UnifiedPatch,
  context: PatchContext,
): Promise<readonly FileDiff[]> {
  if (!isConverted) return withLostReturns(files, context);
  for (const file of files) {
    await context.pace.breathe();
    if (await endsLinesInLf(file, context)) return files.map(withoutReturns);
  }
  return files;
}

/** Whether all lines of a text end in CRLF. */
export function isCrlfOnly(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

/**
 * Marks the files of a patch that lost its carriage returns. A hunk without old lines always fits such a file, and git
 * inserts line feeds. But if a line of another file exists only with CRLF, the patch cannot mean line feeds.
 */
async function withLostReturns(
  files: readonly FileDiff[],
  context: PatchContext,
): Promise<readonly FileDiff[]> {
  const isUndecided = ({ kind, hunks }: FileDiff) =>
    kind !== "create" && hunks.length > 0 && !hunks.flatMap(oldLines).some(isEnded);
  if (files.length < 2 || !files.some(isUndecided) || files.some(namesReturn)) return files;
  for (const file of files) {
    await context.pace.breathe();
    const old = file.hunks.flatMap(oldLines).filter(isEnded);
    // A file that cannot be read is rejected when it is changed.
    const text = old.length === 0 ? "" : await textBefore(file, context).catch(() => "");
    if (lacksReturns(old, text ?? "")) return files.map((each) => ({ ...each, lostReturns: true }));
  }
  return files;
}

/** Whether an old line is in the file, but only with a carriage return. */
function lacksReturns(old: readonly HunkLine[], text: string): boolean {
  if (text.length > MAX_COMPARED_CHARS || !text.includes("\r\n")) return isCrlfOnly(text);
  const lines = new Set(text.split("\n"));
  return old.some((line) => !lines.has(line.text) && lines.has(`${line.text}\r`));
}

const MAX_COMPARED_CHARS = 2_000_000;

const isEnded = ({ isOpen }: HunkLine) => isOpen !== true;

function namesReturn({ hunks }: FileDiff): boolean {
  return hunks.some(({ lines }) => lines.some(({ text }) => text.endsWith("\r")));
}

/** Whether a file has only LF, or a link's target is what the patch says but for a carriage return. */
async function endsLinesInLf(file: FileDiff, context: PatchContext): Promise<boolean> {
  const [open] = file.hunks.flatMap(oldLines).filter(({ isOpen }) => isOpen === true);
  const targets =
    open === undefined
      ? []
      : await Promise.all(file.from.map((path) => context.links.targetOf(path).catch(() => undefined)));
  if (open !== undefined && targets.includes(open.text.replace(/\r$/, ""))) return true;
  const text = (await textBefore(file, context)) ?? "";
  return text.includes("\n") && !text.includes("\r\n");
}

/** The text that a diff changes; undefined for a new file. */
async function textBefore(
  { kind, from, hunks }: FileDiff,
  { workspace, encoding }: PatchContext,
): Promise<string | undefined> {
  if (kind === "create" || hunks.length === 0) return undefined;
  for (const path of from)
    if (await workspace.exists(path)) return (await workspace.readTextFile(path, { encoding })).text;
  return undefined;
}

function withoutReturns(file: FileDiff): FileDiff {
  const hunks = file.hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, "") })),
  }));
  return { ...file, hunks, lostReturns: true };
}
