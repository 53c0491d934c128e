import { invalidPatch } from "./invalid-patch.js";
import type { Hunk, HunkLine } from "./patch.js";

/** Reads the hunk that starts at line `start` of a unified diff, and where it ends. */
export function readHunk(
  lines: readonly string[],
  start: number,
  { path, number }: { path: string; number: number },
): { hunk: Hunk; end: number } {
  const label = `hunk ${number} of ${path} (line ${start + 1} of the patch)`;
  const [, oldStart, oldCount = "1", , newCount = "1"] =
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[start] ?? "") ?? [];
  if (oldStart === undefined) throw invalidPatch(`${label} has no line numbers`, start + 1);
  const body = new HunkBody(Number(oldCount), Number(newCount));
  let at = start + 1;
  for (; at < lines.length && body.goesOnWith(lines[at] ?? ""); at += 1) {
    if (!body.take(lines[at] ?? ""))
      throw invalidPatch(`${label}: a line starts with ' ', '-' or '+'`, at + 1);
  }
  if (!body.isComplete)
    throw invalidPatch(`${label} has fewer or more lines than its header says`, start + 1);
  const { oldEndsOpen, newEndsOpen } = body;
  const place = { anchors: [], oldStart: Number(oldStart), isAtEnd: oldEndsOpen };
  return { hunk: { label, lines: body.lines, ...place, oldEndsOpen, newEndsOpen }, end: at };
}

/** The lines of a hunk, counted against what its header announced. */
class HunkBody {
  readonly lines: HunkLine[] = [];
  oldEndsOpen = false;
  newEndsOpen = false;
  #oldLeft: number;
  #newLeft: number;

  constructor(oldCount: number, newCount: number) {
    this.#oldLeft = oldCount;
    this.#newLeft = newCount;
  }

  get isComplete(): boolean {
    return this.#oldLeft === 0 && this.#newLeft === 0;
  }

  goesOnWith(line: string): boolean {
    return this.#oldLeft > 0 || this.#newLeft > 0 || line.startsWith("\\");
  }

  /** False for a line that no hunk has. */
  take(line: string): boolean {
    if (line.startsWith("\\")) {
      const last = this.lines.at(-1)?.kind;
      this.oldEndsOpen ||= last !== "add";
      this.newEndsOpen ||= last !== "remove";
      return true;
    }
    const kind = line === "" ? "keep" : KINDS.get(line.slice(0, 1));
    if (kind === undefined) return false;
    this.lines.push({ kind, text: line.slice(1) });
    if (kind !== "add") this.#oldLeft -= 1;
    if (kind !== "remove") this.#newLeft -= 1;
    return true;
  }
}

const KINDS: ReadonlyMap<string, HunkLine["kind"]> = new Map([
  [" ", "keep"],
  ["-", "remove"],
  ["+", "add"],
]);
