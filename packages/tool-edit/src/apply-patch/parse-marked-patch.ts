import { invalidPatch } from "./invalid-patch.js";
import type { Hunk, HunkLine, PatchOperation } from "./patch.js";

/** The `*** Begin Patch` grammar: files by header, hunks by `@@`, no line numbers. */
export function parseMarkedPatch(lines: readonly string[]): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  let at = begin + 1;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    if (line.trim() === "*** End Patch") return operations;
    const [, verb, path] = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(line.trimEnd()) ?? [];
    if (verb === undefined || path === undefined) {
      if (line.trim() === "") {
        at += 1;
        continue;
      }
      throw invalidPatch(`expected a file header, got ${JSON.stringify(line.slice(0, 80))}`, at + 1);
    }
    const end = bodyEnd(lines, at + 1);
    operations.push(
      operationOf({ verb, path: path.trim(), body: lines.slice(at + 1, end), firstLine: at + 2 }),
    );
    at = end;
  }
  // What was begun and not ended was cut off on the way: the rest is missing, so none of it is done.
  if (begin >= 0) throw invalidPatch("*** End Patch is missing, so it may have been cut off", lines.length);
  return operations;
}

interface FileSection {
  readonly verb: string;
  readonly path: string;
  readonly body: readonly string[];
  readonly firstLine: number;
}

function bodyEnd(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && !SECTION_START.test(lines[end] ?? "")) end += 1;
  return end;
}

const SECTION_START = /^\*\*\* (?:Add File: |Delete File: |Update File: |End Patch)/;

function operationOf(section: FileSection): PatchOperation {
  const { verb, path } = section;
  if (verb === "Delete") return { kind: "delete", path };
  if (verb === "Add") return { kind: "add", path, text: addedText(section) };
  const [first = "", ...rest] = section.body;
  const [, moveTo] = /^\*\*\* Move to: (.+)$/.exec(first.trimEnd()) ?? [];
  const body = moveTo === undefined ? section.body : rest;
  const hunks = hunksOf({ ...section, body, firstLine: section.firstLine + (moveTo === undefined ? 0 : 1) });
  if (hunks.length === 0 && moveTo === undefined)
    throw invalidPatch(`Update File: ${path} has no hunk`, section.firstLine);
  return { kind: "update", path, hunks, ...(moveTo === undefined ? {} : { moveTo: moveTo.trim() }) };
}

function addedText({ path, body, firstLine }: FileSection): string {
  const lines = withoutTrailingBlank(body).map((line, index) => {
    if (line.startsWith("+")) return line.slice(1);
    throw invalidPatch(`a line of Add File: ${path} does not start with +`, firstLine + index);
  });
  return lines.map((line) => `${line}\n`).join("");
}

function hunksOf({ path, body, firstLine }: FileSection): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let open: { anchors: string[]; lines: HunkLine[]; isAtEnd: boolean; line: number } | undefined;
  const close = (): void => {
    if (open === undefined || open.lines.length === 0) return;
    const { anchors, lines, isAtEnd, line } = open;
    hunks.push({
      label: `hunk ${hunks.length + 1} of ${path} (line ${line} of the patch)`,
      anchors,
      lines,
      isAtEnd,
    });
  };
  for (const [index, line] of withoutTrailingBlank(body).entries()) {
    const number = firstLine + index;
    if (line.startsWith("@@")) {
      const anchor = line.slice(2).trim().replace(/@@$/, "").trim();
      // Several @@ lines in a row narrow the place down; they belong to one hunk.
      if (open === undefined || open.lines.length > 0) {
        close();
        open = { anchors: [], lines: [], isAtEnd: false, line: number };
      }
      if (anchor !== "") open.anchors.push(anchor);
    } else if (line.trim() === "*** End of File" && open !== undefined) {
      open.isAtEnd = true;
    } else {
      open ??= { anchors: [], lines: [], isAtEnd: false, line: number };
      open.lines.push(hunkLine(line, number));
    }
  }
  close();
  return hunks;
}

function hunkLine(line: string, number: number): HunkLine {
  // Editors and models strip the one blank of an empty context line.
  if (line === "") return { kind: "keep", text: "" };
  const text = line.slice(1);
  if (line[0] === " ") return { kind: "keep", text };
  if (line[0] === "-") return { kind: "remove", text };
  if (line[0] === "+") return { kind: "add", text };
  throw invalidPatch(
    `a hunk line starts with ' ', '-' or '+', not ${JSON.stringify(line.slice(0, 40))}`,
    number,
  );
}

function withoutTrailingBlank(body: readonly string[]): readonly string[] {
  let end = body.length;
  while (end > 0 && body[end - 1] === "") end -= 1;
  return body.slice(0, end);
}
