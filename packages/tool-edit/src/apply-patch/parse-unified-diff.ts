import { readGitHeader } from "./git-header.js";
import { invalidPatch } from "./invalid-patch.js";
import type { Hunk, PatchOperation } from "./patch.js";
import { unquoteName } from "./quoted-name.js";
import { readHunk } from "./read-hunk.js";

/** A unified diff, with git's headers for renames, copies, modes, new and deleted files. */
export function parseUnifiedDiff(lines: readonly string[]): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  let at = 0;
  while (at < lines.length) {
    const header = readHeader(lines, at);
    if (header === undefined) {
      at += 1;
      continue;
    }
    const hunks: Hunk[] = [];
    at = header.end;
    while (lines[at]?.startsWith("@@") === true) {
      const hunk = readHunk(lines, at, { path: header.path, number: hunks.length + 1 });
      hunks.push(hunk.hunk);
      at = hunk.end;
    }
    operations.push(operationOf(header, hunks));
  }
  return operations;
}

interface FileHeader {
  /** Undefined for /dev/null. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly path: string;
  readonly isCopy: boolean;
  readonly mode?: number;
  readonly end: number;
}

function readHeader(lines: readonly string[], start: number): FileHeader | undefined {
  const git = readGitHeader(lines, start);
  const at = git?.end ?? start;
  if (git !== undefined && /^(?:GIT binary patch|Binary files )/.test(lines[at] ?? ""))
    throw invalidPatch("it changes a binary file", at + 1);
  const hasFiles = lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true;
  if (!hasFiles && git === undefined) return undefined;
  const from = hasFiles ? fileName(lines[at] ?? "", at + 1) : git?.from;
  const to = hasFiles ? fileName(lines[at + 1] ?? "", at + 2) : git?.to;
  const path = to ?? from;
  if (path === undefined) throw invalidPatch("a file header names no file", at + 1);
  return {
    from,
    to,
    path,
    isCopy: git?.isCopy === true,
    end: hasFiles ? at + 2 : at,
    ...(git?.mode === undefined ? {} : { mode: git.mode }),
  };
}

function fileName(line: string, number: number): string | undefined {
  const name = line.slice(4).replace(/\t.*$/, "").trim();
  return name === "/dev/null" ? undefined : unquoteName(name, number).replace(/^[ab]\//, "");
}

function operationOf({ from, to, path, isCopy, mode }: FileHeader, hunks: readonly Hunk[]): PatchOperation {
  const withMode = mode === undefined ? {} : { mode };
  if (from === undefined) return { kind: "add", path, text: addedText(hunks), ...withMode };
  if (to === undefined) return { kind: "delete", path: from };
  if (isCopy) return { kind: "copy", path: from, copyTo: to, hunks, ...withMode };
  return { kind: "update", path: from, hunks, ...(from === to ? {} : { moveTo: to }), ...withMode };
}

function addedText(hunks: readonly Hunk[]): string {
  const text = hunks
    .flatMap(({ lines }) => lines.filter(({ kind }) => kind === "add"))
    .map((line) => `${line.text}\n`)
    .join("");
  return hunks.at(-1)?.newEndsOpen === true ? text.slice(0, -1) : text;
}
