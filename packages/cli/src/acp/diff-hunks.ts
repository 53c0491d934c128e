/** The text of one hunk before and after a change. */
export interface DiffHunk {
  readonly before: string;
  readonly after: string;
  /** First line in the new file, counted from 1. */
  readonly line: number;
}

/** Splits a unified diff into hunks. Returns undefined for a note or a truncated diff. */
export function diffHunks(diff: string): readonly DiffHunk[] | undefined {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const hunks: DiffHunk[] = [];
  let at = lines.findIndex((line) => line.startsWith("@@ "));
  if (at === -1 || !lines.slice(0, at).every(isHeader)) return undefined;
  while (at < lines.length) {
    const hunk = readHunk(lines, at);
    if (hunk === undefined) return undefined;
    hunks.push(hunk);
    at = hunk.end;
  }
  return hunks;
}

function isHeader(line: string): boolean {
  return /^(---|\+\+\+) /.test(line);
}

interface ReadHunk extends DiffHunk {
  /** Index of the line after the hunk. */
  readonly end: number;
}

function readHunk(lines: readonly string[], start: number): ReadHunk | undefined {
  const head = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[start] ?? "");
  if (head === null) return undefined;
  let old = Number(head[1] ?? 1);
  let fresh = Number(head[3] ?? 1);
  const before: string[] = [];
  const after: string[] = [];
  let at = start + 1;
  for (; old > 0 || fresh > 0 || isEndMark(lines[at]); at += 1) {
    const line = lines[at];
    if (line === undefined) return undefined;
    const text = `${line.slice(1)}\n`;
    if (isEndMark(line)) dropNewline(lines[at - 1], before, after);
    else if (line.startsWith("-")) old -= before.push(text) && 1;
    else if (line.startsWith("+")) fresh -= after.push(text) && 1;
    else if (line.startsWith(" ") || line === "") {
      old -= before.push(text) && 1;
      fresh -= after.push(text) && 1;
    } else return undefined;
  }
  return { before: before.join(""), after: after.join(""), line: Math.max(1, Number(head[2])), end: at };
}

/** Matches `\ No newline at end of file`, which refers to the line before it. */
function isEndMark(line: string | undefined): boolean {
  return line?.startsWith("\\") === true;
}

function dropNewline(marked: string | undefined, before: string[], after: string[]): void {
  if (marked?.startsWith("+") !== true) before.push((before.pop() ?? "").slice(0, -1));
  if (marked?.startsWith("-") !== true) after.push((after.pop() ?? "").slice(0, -1));
}
