import { countOf, renderForHuman } from "@haft/text";
import { styledRows } from "./styled-rows.js";

/** The user's message below the prompt sign, wrapped between words. Only the beginning of a long one. Safe to print. */
export function messageRows(text: string, columns: number): readonly string[] {
  return folded(renderForHuman(text).trimEnd().split("\n")).flatMap((line, index) =>
    styledRows([{ text: line, paint: String }], {
      columns,
      first: index === 0 ? "› " : "  ",
      rest: "  ",
    }),
  );
}

/** A paste of thousands of lines would push the session off the screen. */
function folded(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, FOLDED_LINES), `… ${countOf(lines.length - FOLDED_LINES, "more line")}`];
}

const MAX_LINES = 40;
const FOLDED_LINES = 20;
