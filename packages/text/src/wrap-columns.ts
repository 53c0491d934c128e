/**
 * Splits one line of safe text into rows that a terminal shows without wrapping them itself. Expands tabs. Never
 * returns an empty list, and never splits a surrogate pair.
 *
 * Widths are upper bounds: a row may end early where a terminal shows a character narrower than assumed.
 */
export function wrapColumns(line: string, columns: number): readonly string[] {
  const limit = Math.max(2, Math.floor(columns));
  if (line.length <= limit && PLAIN.test(line)) return [line];
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const character of line) {
    const shown = character === "\t" ? " ".repeat(TAB_COLUMNS - (width % TAB_COLUMNS)) : character;
    const needed = character === "\t" ? shown.length : columnsOf(character);
    if (width + needed > limit) {
      rows.push(row);
      row = "";
      width = 0;
    }
    row += width === 0 && needed > limit ? " ".repeat(limit) : shown;
    width += Math.min(needed, limit);
  }
  return [...rows, row];
}

/** Returns the maximum number of columns that a terminal uses for a text on one row. */
export function textColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character);
  return columns;
}

const PLAIN = /^[\x20-\x7e]*$/;
const TAB_COLUMNS = 8;

/** Letters below U+1100, punctuation, arrows and box drawing take one column; anything above may take two. */
function columnsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return NARROW.some(([first, end]) => code >= first && code < end) ? 1 : 2;
}

const NARROW = [
  [0, 0x1100],
  [0x1e00, 0x2000],
  [0x2010, 0x2300],
  [0x2400, 0x25fd],
] as const;
