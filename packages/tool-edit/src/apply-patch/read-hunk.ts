import { invalidPatch } from "./invalid-patch.js";
import { type DiffHunk, HUNK_LINE_KINDS, type HunkLine } from "./patch.js";

export const HUNK_HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Reads the hunk that starts at index `start` of a unified diff, exactly as long as its header says. */
export function readHunk(
  lines: readonly string[],
  start: number,
  { path, number }: { path: string; number: number },
): { hunk: DiffHunk; end: number } {
  const label = `hunk ${number} of ${path} (line ${start + 1} of the patch)`;
  const [, oldStart, oldCount = "1", newStart, newCount = "1"] = HUNK_HEADER.exec(lines[start] ?? "") ?? [];
  if (oldStart === undefined || newStart === undefined)
    throw invalidPatch(`${label} has no line numbers such as @@ -1,3 +1,4 @@`, start + 1);
  const body: HunkLine[] = [];
  const left = { old: Number(oldCount), new: Number(newCount) };
  let at = start + 1;
  while (left.old > 0 || left.new > 0) {
    const line = hunkLine(lines, at, label);
    if (line.kind !== "add") left.old -= 1;
    if (line.kind !== "remove") left.new -= 1;
    if (left.old < 0 || left.new < 0)
      throw invalidPatch(`${label} has more lines on one side than its header says`, at + 1);
    body.push(line);
    at += line.isOpen === true ? 2 : 1;
  }
  assertChanges(body, label, start + 1);
  assertOpenLinesLast(body, label, start + 1);
  return {
    hunk: { label, lines: body, oldStart: Number(oldStart), newStart: Number(newStart) },
    end: at,
  };
}

function hunkLine(lines: readonly string[], at: number, label: string): HunkLine {
  const line = lines[at];
  // The last element is the text after the final line feed.
  if (line === undefined || (line === "" && at === lines.length - 1))
    throw invalidPatch(`${label} has fewer lines than its header says`, at + 1);
  if (line.startsWith("\\"))
    throw invalidPatch(
      `${label}: "\\ No newline at end of file" belongs after the last line of a file`,
      at + 1,
    );
  const kind = line === "" ? "keep" : HUNK_LINE_KINDS.get(line.slice(0, 1));
  if (kind === undefined)
    throw invalidPatch(
      `${label}: a line starts with ' ', '-' or '+', not ${JSON.stringify(line.slice(0, 40))}; its header may count too many lines`,
      at + 1,
    );
  // The words after the backslash depend on the language of the tool.
  const isOpen = /^\\ .{9,}/.test(lines[at + 1] ?? "");
  return { kind, text: line.slice(1), ...(isOpen ? { isOpen } : {}) };
}

function assertChanges(body: readonly HunkLine[], label: string, line: number): void {
  if (body.some(({ kind }) => kind !== "keep")) return;
  throw invalidPatch(`${label} changes nothing`, line);
}

function assertOpenLinesLast(body: readonly HunkLine[], label: string, line: number): void {
  for (const side of ["add", "remove"] as const) {
    const own = body.filter(({ kind }) => kind === side || kind === "keep");
    if (own.slice(0, -1).some(({ isOpen }) => isOpen === true))
      throw invalidPatch(
        `${label}: "\\ No newline at end of file" belongs after the last line of a file`,
        line,
      );
  }
}
