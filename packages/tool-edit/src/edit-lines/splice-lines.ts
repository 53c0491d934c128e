import type { Splice } from "@haft/text";
import type { TextLines } from "../text/text-lines.js";
import type { PlannedLines } from "./line-operations.js";

/**
 * Converts a line operation into a splice. Uses the line endings of neighbouring lines and keeps the end of the file.
 */
export function spliceOfLines(file: TextLines, planned: PlannedLines): Splice {
  const { from, to, lines, ending = "\n" } = planned;
  const first = file.spanAt(from);
  const last = file.spanAt(to - 1);
  if (from === to) return insertion(file, planned);
  const start = first?.start ?? 0;
  const end = (last?.end ?? 0) + (last?.ending.length ?? 0);
  if (lines.length === 0) return deletion(file, { from, to, start, end });
  const replacement = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const own = file.spanAt(Math.min(from + index, to - 1))?.ending;
    return line + (isLast ? (last?.ending ?? "") : own || endingNear(file, from, ending));
  });
  return { start, end, replacement: replacement.join("") };
}

function insertion(file: TextLines, { from, lines, ending: given = "\n" }: PlannedLines): Splice {
  const before = file.spanAt(from - 1);
  const ending = endingNear(file, from, given);
  const at = before === undefined ? 0 : before.end + before.ending.length;
  // After a last line without an ending, inserted lines add it and keep the end unchanged.
  if (before !== undefined && before.ending === "")
    return { start: at, end: at, replacement: lines.map((line) => ending + line).join("") };
  return { start: at, end: at, replacement: lines.map((line) => line + ending).join("") };
}

/** Deleting the last lines keeps the end of the file: without a line ending if it had none. */
function deletion(file: TextLines, range: { from: number; to: number; start: number; end: number }): Splice {
  const before = file.spanAt(range.from - 1);
  const isOpenEnd = range.to === file.length && file.spanAt(file.length - 1)?.ending === "";
  const start = isOpenEnd && before !== undefined ? before.end : range.start;
  return { start, end: range.end, replacement: "" };
}

function endingNear(file: TextLines, index: number, fallback: string): string {
  const candidates = [file.spanAt(index - 1), file.spanAt(index), file.spanAt(index - 2)].map(
    (span) => span?.ending,
  );
  return candidates.find((ending) => ending !== undefined && ending !== "") ?? fallback;
}
