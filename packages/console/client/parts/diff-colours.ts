import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ColouredSpan } from "../files/syntax.js";
import type { DiffRow } from "./parse-diff.js";

export type RowColours = ReadonlyMap<DiffRow, readonly ColouredSpan[]>;

/**
 * Highlights the rows of a diff in its file's language. Empty until the grammars are loaded, and for parts that are too
 * long to parse between two frames.
 */
export function useRowColours(rows: readonly DiffRow[], path: string): RowColours {
  const colours = useSignal(NO_COLOURS);
  useEffect(() => {
    let isCurrent = true;
    if (rows.reduce((sum, { text }) => sum + text.length, 0) > MAX_CHARS) return undefined;
    void import("../files/syntax.js").then(({ colouredLines }) => {
      if (!isCurrent) return;
      const found = new Map<DiffRow, readonly ColouredSpan[]>();
      // The new side last: unchanged lines take its colours.
      for (const left of ["add", "del"])
        for (const hunk of hunksOf(rows.filter(({ kind }) => kind !== left)))
          for (const [index, spans] of colouredLines(
            path,
            hunk.map(({ text }) => text),
          ).entries()) {
            const row = hunk[index];
            if (row !== undefined) found.set(row, spans);
          }
      colours.value = found;
    });
    return () => {
      isCurrent = false;
    };
  }, [rows, path]);
  return colours.value;
}

const NO_COLOURS: RowColours = new Map();
const MAX_CHARS = 100_000;

/** The lines between hunks are missing, so each hunk is parsed separately. */
function hunksOf(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const hunks: DiffRow[][] = [[]];
  for (const row of rows) {
    if (row.kind === "hunk" || row.kind === "note") hunks.push([]);
    else hunks.at(-1)?.push(row);
  }
  return hunks;
}
