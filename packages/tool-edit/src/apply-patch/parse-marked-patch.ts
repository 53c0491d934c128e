import { invalidPatch } from "./invalid-patch.js";
import { parseMarkedHunks } from "./parse-marked-hunks.js";
import type { PatchOperation } from "./patch.js";

/** Parses the `*** Begin Patch` grammar: files by header, hunks by `@@`, no line numbers. */
export function parseMarkedPatch(lines: readonly string[]): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  const begin = lines.findIndex((line) => line.trim() !== "");
  const isBegun = lines[begin]?.trim() === BEGIN;
  let at = isBegun ? begin + 1 : begin;
  while (at < lines.length) {
    const line = (lines[at] ?? "").trim();
    if (line === END) {
      assertNothingFollows(lines, at + 1);
      return operations;
    }
    const [, verb, path] = HEADER.exec(line) ?? [];
    if (verb === undefined || path === undefined) {
      if (line !== "") throw notAHeader(line, { number: at + 1, hasOperations: operations.length > 0 });
      at += 1;
      continue;
    }
    const end = bodyEnd(lines, at + 1, verb);
    operations.push(
      operationOf({ verb, path: path.trim(), body: lines.slice(at + 1, end), firstLine: at + 2 }),
    );
    at = end;
  }
  // A block without its end is incomplete, so none of it is applied.
  if (isBegun) throw invalidPatch("*** End Patch is missing, so it may have been cut off", lines.length);
  return operations;
}

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const HEADER = /^\*\*\* (Add|Delete|Update) File: (.+)$/;

export interface FileSection {
  readonly verb: string;
  readonly path: string;
  readonly body: readonly string[];
  /** The 1-based number of the first line of the body. */
  readonly firstLine: number;
}

function assertNothingFollows(lines: readonly string[], from: number): void {
  const next = lines.findIndex((line, index) => index >= from && line.trim() !== "" && line.trim() !== END);
  if (next !== -1)
    throw invalidPatch(
      `${quote(lines[next])} comes after *** End Patch; put all files into one block`,
      next + 1,
    );
}

function notAHeader(
  line: string,
  { number, hasOperations }: { number: number; hasOperations: boolean },
): Error {
  const problem = hasOperations
    ? `expected *** Add File, *** Update File, *** Delete File or *** End Patch, got ${quote(line)}`
    : `expected *** Begin Patch or a file header, got ${quote(line)}`;
  return invalidPatch(problem, number);
}

/**
 * Below Update File an indented marker is a context line, unless it ends the patch; elsewhere markers may be indented.
 */
function bodyEnd(lines: readonly string[], from: number, verb: string): number {
  const mayBeIndented = verb !== "Update";
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (SECTION_START.test(mayBeIndented ? line.trimStart() : line)) return at;
  }
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return last >= from && lines[last]?.trim() === END ? last : lines.length;
}

const SECTION_START = /^\*\*\* (?:Add File: |Delete File: |Update File: |End Patch\s*$)/;

function operationOf(section: FileSection): PatchOperation {
  const { verb, path } = section;
  if (verb === "Delete") return deletion(section);
  if (verb === "Add") return { kind: "add", path, text: addedText(section) };
  const first = section.body[0] ?? "";
  const [, moveTo] = /^\*\*\* Move to: (.+)$/.exec(first.trimEnd()) ?? [];
  if (moveTo === undefined) {
    const hunks = parseMarkedHunks(section);
    if (hunks.length > 0) return { kind: "update", path, hunks };
    throw invalidPatch(`Update File: ${path} has no hunk`, section.firstLine - 1);
  }
  const hunks = parseMarkedHunks({
    ...section,
    body: section.body.slice(1),
    firstLine: section.firstLine + 1,
  });
  return { kind: "update", path, hunks, moveTo: moveTo.trim() };
}

function deletion({ path, body, firstLine }: FileSection): PatchOperation {
  const extra = body.findIndex((line) => line.trim() !== "");
  if (extra === -1) return { kind: "delete", path };
  throw invalidPatch(`Delete File: ${path} takes no lines, got ${quote(body[extra])}`, firstLine + extra);
}

function addedText({ path, body, firstLine }: FileSection): string {
  const end = body.findLastIndex((line) => line.trim() !== "") + 1;
  const lines = body.slice(0, end).map((line, index) => {
    if (line.startsWith("+")) return line.slice(1);
    throw invalidPatch(
      `a line of Add File: ${path} does not start with +: ${quote(line)}`,
      firstLine + index,
    );
  });
  return lines.map((line) => `${line}\n`).join("");
}

function quote(line = ""): string {
  return JSON.stringify(line.slice(0, 80));
}
