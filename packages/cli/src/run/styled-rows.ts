import { textColumns, wrapColumns } from "@haft/text";
import { type Span, type Word, wordsOf } from "./words-of.js";

interface RowShape {
  readonly columns: number;
  /** Prefix of the first row. */
  readonly first: string;
  /** Prefix of every other row. */
  readonly rest: string;
}

/** Wraps styled text at word boundaries, so that the terminal never wraps it. */
export function styledRows(spans: readonly Span[], shape: RowShape): readonly string[] {
  const { columns } = shape;
  const first = shortened(shape.first, columns);
  const rest = shortened(shape.rest, columns);
  const rows: string[] = [];
  let row = first;
  let width = textColumns(first);
  let isEmpty = true;
  /** Belongs to the row only if another word follows there. */
  let space = "";
  const breakRow = () => {
    rows.push(row.trimEnd());
    row = rest;
    width = textColumns(rest);
    isEmpty = true;
    space = "";
  };
  const room = columns - Math.max(width, textColumns(rest));
  for (const word of wordsOf(spans).flatMap((each) => splitWord(each, room))) {
    const wordColumns = columnsOf(word);
    if (!isEmpty && width + wordColumns > columns) breakRow();
    if (isEmpty && rows.length > 0 && word.parts.length === 0) continue;
    row += space + word.parts.map(({ text, paint }) => paint(text)).join("");
    space = word.space?.paint(word.space.text) ?? "";
    width += wordColumns + textColumns(word.space?.text ?? "");
    isEmpty = false;
  }
  return [...rows, row.trimEnd()];
}

/** Wraps each line between words, below its own indentation. Takes safe text. */
export function wrappedLines(
  text: string,
  columns: number,
  paint: Span["paint"] = String,
): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const indent = (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ");
    return styledRows([{ text: line.trimStart(), paint }], { columns, first: indent, rest: indent });
  });
}

/** Leaves half of the row to the text. */
function shortened(prefix: string, columns: number): string {
  const most = Math.floor(columns / 2);
  return prefix.length <= most ? prefix : prefix.slice(prefix.length - most);
}

function columnsOf({ parts }: Word): number {
  return parts.reduce((width, { text }) => width + textColumns(text), 0);
}

/** Splits a word that is wider than a row. */
function splitWord(word: Word, columns: number): readonly Word[] {
  if (columnsOf(word) <= columns) return [word];
  const pieces = word.parts.flatMap(({ text, paint }) =>
    wrapColumns(text, columns).map((part): Word => ({ parts: [{ text: part, paint }] })),
  );
  return pieces.map((piece, index) =>
    index === pieces.length - 1 ? { ...word, parts: piece.parts } : piece,
  );
}
