import { renderForHuman } from "@haft/text";
import { styledRows } from "./styled-rows.js";

/** The user's message below the prompt sign, wrapped between words. Safe to print. */
export function messageRows(text: string, columns: number): readonly string[] {
  return renderForHuman(text)
    .trimEnd()
    .split("\n")
    .flatMap((line, index) =>
      styledRows([{ text: line, paint: String }], {
        columns,
        first: index === 0 ? "› " : "  ",
        rest: "  ",
      }),
    );
}
