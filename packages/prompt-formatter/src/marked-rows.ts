import { wrapColumns } from "@haft/text";

/**
 * Wraps a row of ours onto marked rows, so that quoted text cannot start a row. Breaks before spaces where possible;
 * loses no character.
 */
export function markedRows(text: string, columns: number): readonly string[] {
  const rows: string[] = [];
  for (let rest = text; ; ) {
    const mark = rows.length === 0 ? "" : "┆ ";
    const [row = "", hasMore] = firstRow(rest, columns - mark.length);
    const space = hasMore ? row.lastIndexOf(" ") : -1;
    const taken = space > row.length / 2 ? row.slice(0, space) : row;
    rows.push(`${mark}${taken}`);
    rest = rest.slice(Math.max(1, taken.length));
    if (rest === "") return rows;
  }
}

/** Wraps only as much text as the first row needs, so that wrapping everything stays linear. */
function firstRow(text: string, columns: number): readonly [string | undefined, boolean] {
  for (let length = 4 * columns; ; length *= 2) {
    const [row, ...more] = wrapColumns(text.slice(0, length), columns);
    if (more.length > 0 || length >= text.length) return [row, more.length > 0];
  }
}
