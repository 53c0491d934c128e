import { fileNames, headerNames, readSide } from "./file-names.js";
import { type FileHeader, noNames, readGitHeader } from "./git-header.js";
import { invalidPatch } from "./invalid-patch.js";
import type { DiffHunk, FileDiff } from "./patch.js";
import { readHunk } from "./read-hunk.js";
import { SurroundingText } from "./surrounding-text.js";

/** Parses a unified diff like `git apply`, but rejects lines that git would silently skip. */
export function parseUnifiedDiff(lines: readonly string[]): readonly FileDiff[] {
  const files: FileDiff[] = [];
  const around = new SurroundingText(lines);
  let at = 0;
  while (at < lines.length) {
    const header = readHeader(lines, at);
    if (header === undefined) {
      around.take(at);
      at += 1;
      continue;
    }
    const { hunks, end } = readHunks(lines, header);
    at = end;
    around.fileEnded();
    if (hunks.length > 0 && header.end === header.line)
      throw invalidPatch("the --- and +++ lines are missing", header.end + 1);
    if (hunks.length > 0 || header.isChange) files.push(fileDiff(header, hunks));
    else if (header.end > header.line)
      throw invalidPatch(
        `the header of ${header.to[0]} is followed by no hunk and changes nothing`,
        header.line,
      );
  }
  return files;
}

function readHeader(lines: readonly string[], at: number): FileHeader | undefined {
  const line = lines[at] ?? "";
  if (line.startsWith("diff --git ")) return bareHeader(lines, at) ?? readGitHeader(lines, at);
  const isHeader =
    line.startsWith("--- ") &&
    lines[at + 1]?.startsWith("+++ ") === true &&
    lines[at + 2]?.startsWith("@@ -") === true;
  if (!isHeader) return undefined;
  const [before, after] = [readSide(line, at + 1), readSide(lines[at + 1] ?? "", at + 2)];
  const names = fileNames(before.name, after.name);
  if (names.length === 0) throw invalidPatch("a file header names no file", at + 1);
  const isNew = before.name === undefined || before.isEpoch;
  const isGone = after.name === undefined || after.isEpoch;
  const kind = isNew ? "create" : isGone ? "delete" : "modify";
  return { kind, from: names, to: names, isChange: false, line: at + 1, end: at + 2 };
}

/** `git diff` prints the header alone for a file that has only been touched. */
function bareHeader(lines: readonly string[], at: number): FileHeader | undefined {
  const next = (lines[at + 1] ?? "").trim();
  if (next !== "" && !next.startsWith("diff ")) return undefined;
  if (headerNames((lines[at] ?? "").replace(/\r$/, ""), at + 1) === undefined) throw noNames(at + 1);
  return { kind: "modify", from: [""], to: [""], isChange: false, line: at + 1, end: at + 1 };
}

function readHunks(
  lines: readonly string[],
  header: FileHeader,
): { hunks: readonly DiffHunk[]; end: number } {
  const hunks: DiffHunk[] = [];
  let at = header.end;
  if (/^(?:GIT binary patch|Binary files |Files .* differ)/.test(lines[at] ?? ""))
    throw invalidPatch(`${header.to[0]} is a binary file, which apply_patch cannot change`, at + 1);
  while (lines[at]?.startsWith("@@ -") === true) {
    const read = readHunk(lines, at, { path: header.to[0] ?? "", number: hunks.length + 1 });
    hunks.push(read.hunk);
    at = read.end;
  }
  return { hunks, end: at };
}

function fileDiff(
  { end: _end, isChange: _isChange, ...header }: FileHeader,
  hunks: readonly DiffHunk[],
): FileDiff {
  const has = (...kinds: string[]) =>
    hunks.some(({ lines }) => lines.some(({ kind }) => kinds.includes(kind)));
  if (header.kind === "create" && has("keep", "remove"))
    throw invalidPatch(`${header.to[0]} is new, but its hunks name old lines`, header.line);
  if (header.kind === "delete" && has("keep", "add"))
    throw invalidPatch(`${header.from[0]} is deleted, but its hunks leave lines`, header.line);
  // A diff without times or git headers does not say whether the file exists.
  const mayCreate = header.kind === "modify" && hunks.length === 1 && !has("keep", "remove");
  return {
    ...header,
    hunks,
    ...(mayCreate && header.mode === undefined ? { kind: "create-or-modify" } : {}),
  };
}
