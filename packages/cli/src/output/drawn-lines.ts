import { stripVTControlCharacters } from "node:util";
import { textColumns, wrapColumns } from "@haft/text";

/** Lines on the terminal, each written as one row. */
export interface DrawnLines {
  readonly lines: readonly string[];
  /** The width of the terminal when they were written. */
  readonly columns: number;
  /** Whether a resize leaves the cursor's line unwrapped while it wraps the others. */
  readonly keepsLast?: boolean;
}

export const NOTHING_DRAWN: DrawnLines = { lines: [], columns: 0 };

/** Returns the sequence that erases rows upwards from the cursor and leaves it on the first erased row. */
export function eraseRows(rows: number): string {
  // Row by row, because tmux keeps a screen that is cleared at once in its history.
  return rows === 0 ? "" : `\u001b[J\r\u001b[2K${"\u001b[A\u001b[2K".repeat(rows - 1)}`;
}

/** Returns how many rows the lines occupy now. A narrower terminal has wrapped them. */
export function rowsTaken(drawn: DrawnLines, columns: number): number {
  const { lines, columns: drawnColumns, keepsLast = false } = drawn;
  if (columns >= drawnColumns) return lines.length;
  return lines.reduce((rows, line, index) => {
    if (keepsLast && index === lines.length - 1) return rows + 1;
    return rows + wrapColumns(visiblePart(stripVTControlCharacters(line), drawnColumns), columns).length;
  }, 0);
}

/** Returns the visible part of a line. A free last column can only be filled by a narrow character. */
function visiblePart(text: string, columns: number): string {
  const [visible = ""] = wrapColumns(text, columns);
  const rest = [...text.slice(visible.length)];
  const isFilled = textColumns(visible) < columns && rest.some((char) => textColumns(char) === 1);
  return isFilled ? `${visible}x` : visible;
}
