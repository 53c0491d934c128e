import { invalidPatch } from "./invalid-patch.js";
import type { FileSection } from "./parse-marked-patch.js";
import { HUNK_LINE_KINDS, type HunkLine, type MarkedHunk } from "./patch.js";

/** Parses the body of an `*** Update File` section. */
export function parseMarkedHunks({ path, body, firstLine }: FileSection): readonly MarkedHunk[] {
  const hunks: MarkedHunk[] = [];
  let open: OpenHunk | undefined;
  const close = (number: number): void => {
    if (open === undefined) return;
    if (open.lines.length === 0) throw invalidPatch("a hunk has no lines", number);
    const { line, ...hunk } = open;
    hunks.push({ label: `hunk ${hunks.length + 1} of ${path} (line ${line} of the patch)`, ...hunk });
  };
  for (const [index, line] of withoutTrailingBlank(body).entries()) {
    const number = firstLine + index;
    if (/^@@(?: |$)/.test(line)) {
      // Consecutive @@ lines narrow the place down; they belong to one hunk.
      if (open === undefined || open.lines.length > 0) {
        close(number);
        open = newHunk(number);
      }
      narrow(open, line);
    } else if (line.trimEnd() === "*** End of File") {
      if (open === undefined || open.lines.length === 0) throw invalidPatch("a hunk has no lines", number);
      open.isAtEnd = true;
    } else if (open?.isAtEnd === true) {
      if (line.trim() !== "") throw invalidPatch("after *** End of File a hunk starts with @@", number);
    } else {
      open ??= newHunk(number);
      open.lines.push(hunkLine(line, number));
    }
  }
  close(firstLine + body.length);
  return hunks;
}

interface OpenHunk {
  readonly anchors: string[];
  readonly lines: HunkLine[];
  near?: number;
  isAtEnd: boolean;
  readonly line: number;
}

function newHunk(line: number): OpenHunk {
  return { anchors: [], lines: [], isAtEnd: false, line };
}

/** Reads `@@ class A`, `@@ class A @@`, or the line numbers of a unified diff. */
function narrow(hunk: OpenHunk, line: string): void {
  const [, near] = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(line) ?? [];
  if (near !== undefined) {
    hunk.near = Number(near);
    return;
  }
  const anchor = line
    .slice(3)
    .replace(/@@\s*$/, "")
    .trimEnd();
  if (anchor !== "") hunk.anchors.push(anchor);
}

function hunkLine(line: string, number: number): HunkLine {
  // Editors and models strip the single space of an empty context line.
  if (line === "") return { kind: "keep", text: "" };
  const kind = HUNK_LINE_KINDS.get(line.slice(0, 1));
  if (kind !== undefined) return { kind, text: line.slice(1) };
  throw invalidPatch(
    `a hunk line starts with ' ', '-' or '+', not ${JSON.stringify(line.slice(0, 40))}`,
    number,
  );
}

function withoutTrailingBlank(body: readonly string[]): readonly string[] {
  return body.slice(0, body.findLastIndex((line) => line !== "") + 1);
}
