import type { LineSpan } from "@haft/text";
import type { Splice } from "../text/splice-text.js";
import type { PlannedLines } from "./line-operations.js";

/** A line operation as a splice of the text: endings as the neighbours have them, the end of the file as it was. */
export function spliceOfLines(spans: readonly LineSpan[], planned: PlannedLines): Splice {
  const { from, to, lines } = planned;
  const first = spans[from];
  const last = spans[to - 1];
  if (from === to) return insertion(spans, planned);
  const start = first?.start ?? 0;
  const end = (last?.end ?? 0) + (last?.ending.length ?? 0);
  if (lines.length === 0) return deletion(spans, { from, to, start, end });
  const replacement = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const own = spans[Math.min(from + index, to - 1)]?.ending;
    return line + (isLast ? (last?.ending ?? "") : own || endingNear(spans, from));
  });
  return { start, end, replacement: replacement.join("") };
}

function insertion(spans: readonly LineSpan[], { from, lines }: PlannedLines): Splice {
  const before = spans[from - 1];
  const ending = endingNear(spans, from);
  const at = before === undefined ? 0 : before.end + before.ending.length;
  // After a last line without an ending, the inserted lines bring it along and keep the end as it was.
  if (before !== undefined && before.ending === "")
    return { start: at, end: at, replacement: lines.map((line) => ending + line).join("") };
  return { start: at, end: at, replacement: lines.map((line) => line + ending).join("") };
}

/** When the last lines go, the file keeps ending as it did: without a line ending if it had none. */
function deletion(
  spans: readonly LineSpan[],
  range: { from: number; to: number; start: number; end: number },
): Splice {
  const before = spans[range.from - 1];
  const isOpenEnd = range.to === spans.length && spans.at(-1)?.ending === "";
  const start = isOpenEnd && before !== undefined ? before.end : range.start;
  return { start, end: range.end, replacement: "" };
}

function endingNear(spans: readonly LineSpan[], index: number): string {
  const candidates = [spans[index - 1], spans[index], spans[index - 2]].map((span) => span?.ending);
  return candidates.find((ending) => ending !== undefined && ending !== "") ?? "\n";
}
