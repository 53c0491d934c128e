import { countLines, type Splice, spliceText } from "@haft/text";
import { linesCovered } from "./line-numbers.js";

/** The range from the first to the last splice, before and after. */
interface SplicedPart {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

export function splicedPart(text: string, splices: readonly Splice[]): SplicedPart {
  const start = splices[0]?.start ?? 0;
  const end = splices.at(-1)?.end ?? 0;
  const before = text.slice(start, end);
  const moved = splices.map((each) => ({ ...each, start: each.start - start, end: each.end - start }));
  return { start, end, before, after: spliceText(before, moved) };
}

/** Returns the first and last line of the new text that a part covers, given its start line. */
export function linesOfPart({ after }: SplicedPart, startLine: number): ReturnType<typeof linesCovered> {
  const { endLine } = linesCovered(after, 0, after.length);
  return { startLine, endLine: startLine + endLine - 1 };
}

/** Returns the number of lines of the new text, given that of the old one. */
export function countLinesAfter(text: string, lineCount: number, part: SplicedPart): number {
  const { start, end, before, after } = part;
  const newlines = lineCount - openLines(text) - newlinesIn(before) + newlinesIn(after);
  // The last non-empty piece determines how the new text ends.
  const last = [text.slice(0, start), after, text.slice(end)].findLast((piece) => piece !== "") ?? "";
  return newlines + openLines(last);
}

function newlinesIn(text: string): number {
  return countLines(text) - openLines(text);
}

/** Counts a last line without an ending. */
function openLines(text: string): 0 | 1 {
  return text === "" || text.endsWith("\n") ? 0 : 1;
}
