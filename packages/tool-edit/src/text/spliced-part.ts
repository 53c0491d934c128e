import { countLines, type Splice, spliceText } from "@haft/text";
import { linesCovered } from "./line-numbers.js";

/** The stretch of a text from the first to the last of its splices, and what becomes of it. */
export interface SplicedPart {
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

/** The lines of the new text that a part covers, first to last, by the line it starts in. */
export function linesOfPart({ after }: SplicedPart, startLine: number): ReturnType<typeof linesCovered> {
  const { endLine } = linesCovered(after, 0, after.length);
  return { startLine, endLine: startLine + endLine - 1 };
}

/** How many lines the new text has, by how many the old one had. */
export function countLinesAfter(text: string, lineCount: number, part: SplicedPart): number {
  const { start, end, before, after } = part;
  const newlines = lineCount - openLines(text) - newlinesIn(before) + newlinesIn(after);
  // The last of these that is not empty is how the new text ends.
  const last = [text.slice(0, start), after, text.slice(end)].findLast((piece) => piece !== "") ?? "";
  return newlines + openLines(last);
}

function newlinesIn(text: string): number {
  return countLines(text) - openLines(text);
}

/** One for a last line that has no ending. */
function openLines(text: string): 0 | 1 {
  return text === "" || text.endsWith("\n") ? 0 : 1;
}
