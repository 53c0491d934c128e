import { invalidPatch } from "./invalid-patch.js";
import type { Hunk, HunkLine, PatchOperation } from "./patch.js";

/** A unified diff, with git's headers for renames, modes, new and deleted files. */
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
  readonly mode?: number;
  readonly end: number;
}

const EXTENDED =
  /^(?:index |old mode |new mode (\d+)|new file mode (\d+)|deleted file mode |similarity index |dissimilarity index |rename from (.+)|rename to (.+)|copy from |copy to )/;

function readHeader(lines: readonly string[], start: number): FileHeader | undefined {
  let at = start;
  const isGit = lines[at]?.startsWith("diff --git ") === true;
  if (isGit) at += 1;
  let mode: string | undefined;
  let renameFrom: string | undefined;
  let renameTo: string | undefined;
  let isDeleted = false;
  let isNew = false;
  for (
    let found = isGit ? EXTENDED.exec(lines[at] ?? "") : null;
    found !== null;
    found = EXTENDED.exec(lines[at] ?? "")
  ) {
    isDeleted ||= found[0].startsWith("deleted file");
    isNew ||= found[2] !== undefined;
    mode = found[1] ?? found[2] ?? mode;
    renameFrom = found[3] ?? renameFrom;
    renameTo = found[4] ?? renameTo;
    at += 1;
  }
  if (/^(?:GIT binary patch|Binary files )/.test(lines[at] ?? ""))
    throw invalidPatch("it changes a binary file", at + 1);
  const hasFiles = lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true;
  if (!hasFiles && !isGit) return undefined;
  const [, gitFrom, gitTo] = /^diff --git a\/(.+) b\/(.+)$/.exec(lines[start] ?? "") ?? [];
  const from = hasFiles ? fileName(lines[at] ?? "") : isNew ? undefined : (renameFrom ?? gitFrom);
  const to = hasFiles ? fileName(lines[at + 1] ?? "") : isDeleted ? undefined : (renameTo ?? gitTo);
  const path = to ?? from;
  if (path === undefined) throw invalidPatch("a file header names no file", at + 1);
  return {
    from,
    to,
    path,
    end: hasFiles ? at + 2 : at,
    ...(mode === undefined ? {} : { mode: Number.parseInt(mode.slice(-3), 8) }),
  };
}

function fileName(line: string): string | undefined {
  const name = line.slice(4).replace(/\t.*$/, "").trim();
  if (name === "/dev/null") return undefined;
  const unquoted = name.startsWith('"') ? (JSON.parse(name) as string) : name;
  return unquoted.replace(/^[ab]\//, "");
}

function readHunk(
  lines: readonly string[],
  start: number,
  { path, number }: { path: string; number: number },
): { hunk: Hunk; end: number } {
  const [, oldStart, oldCount = "1", , newCount = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[start] ?? "") ?? [];
  const label = `hunk ${number} of ${path} (line ${start + 1} of the patch)`;
  if (oldStart === undefined) throw invalidPatch(`${label} has no line numbers`, start + 1);
  const body: HunkLine[] = [];
  let oldLeft = Number(oldCount);
  let newLeft = Number(newCount);
  let oldEndsOpen = false;
  let newEndsOpen = false;
  let at = start + 1;
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0 || lines[at]?.startsWith("\\") === true); at += 1) {
    const line = lines[at] ?? "";
    const last = body.at(-1)?.kind;
    if (line.startsWith("\\")) {
      oldEndsOpen ||= last !== "add";
      newEndsOpen ||= last !== "remove";
      continue;
    }
    const kind = line.startsWith("+")
      ? "add"
      : line.startsWith("-")
        ? "remove"
        : line.startsWith(" ") || line === ""
          ? "keep"
          : undefined;
    if (kind === undefined) throw invalidPatch(`${label}: a line starts with ' ', '-' or '+'`, at + 1);
    body.push({ kind, text: line.slice(1) });
    if (kind !== "add") oldLeft -= 1;
    if (kind !== "remove") newLeft -= 1;
  }
  if (oldLeft !== 0 || newLeft !== 0)
    throw invalidPatch(`${label} has fewer or more lines than its header says`, start + 1);
  return {
    hunk: {
      label,
      anchors: [],
      lines: body,
      oldStart: Number(oldStart),
      isAtEnd: oldEndsOpen,
      oldEndsOpen,
      newEndsOpen,
    },
    end: at,
  };
}

function operationOf({ from, to, path, mode }: FileHeader, hunks: readonly Hunk[]): PatchOperation {
  const withMode = mode === undefined ? {} : { mode };
  if (from === undefined) return { kind: "add", path, text: addedText(hunks), ...withMode };
  if (to === undefined) return { kind: "delete", path: from };
  return { kind: "update", path: from, hunks, ...(from === to ? {} : { moveTo: to }), ...withMode };
}

function addedText(hunks: readonly Hunk[]): string {
  const text = hunks
    .flatMap(({ lines }) => lines.filter(({ kind }) => kind === "add"))
    .map((line) => `${line.text}\n`)
    .join("");
  return hunks.at(-1)?.newEndsOpen === true ? text.slice(0, -1) : text;
}
