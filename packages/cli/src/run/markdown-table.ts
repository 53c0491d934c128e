import { stripVTControlCharacters } from "node:util";
import { textColumns } from "@haft/text";
import { tableCells } from "@haft/text/display";
import type { Colours } from "../output/colours.js";
import { styledRows } from "./styled-rows.js";
import type { Span } from "./words-of.js";

export interface TableStyle {
  readonly columns: number;
  readonly colours: Colours;
  /** Parses inline marks in a cell. */
  inline(text: string): readonly Span[];
}

export function isTableLine(text: string): boolean {
  return /^\s*\|/.test(text);
}

/** Draws a table with wrapped cells, or one list per row if the terminal is too narrow. */
export function tableRows(lines: readonly string[], style: TableStyle): readonly string[] {
  const [header = [], rule = [], ...body] = lines.map(tableCells);
  const count = Math.max(header.length, 1);
  const rows = body.map((row) => fittedRow(row, count));
  const room = style.columns - GAP.length * (count - 1);
  if (room < count * MIN_COLUMNS) return rows.flatMap((row) => listed(header, row, style));
  const cells = [header, ...rows].map((row) => row.map((text) => linesOf(text).map(style.inline)));
  const widths = fittedWidths(
    header.map((_, column) => Math.max(...cells.flatMap((row) => (row[column] ?? []).map(widthOf)))),
    room,
  );
  const isRight = rule.map((text) => /^-+:$/.test(text));
  const drawn = cells.map((row) => drawnRow(row, widths, isRight));
  const isWrapped = drawn.some((row) => row.length > 1);
  const { bold, dim } = style.colours;
  return [
    ...(drawn[0] ?? []).map((row) => bold(row)),
    dim(widths.map((width) => "─".repeat(width)).join(GAP)),
    ...drawn.slice(1).flatMap((row, index) => (isWrapped && index > 0 ? ["", ...row] : row)),
  ];
}

const GAP = "  ";
/** Narrower columns are unreadable. */
const MIN_COLUMNS = 8;

/** Pads a row to the number of header cells and joins surplus cells into the last. */
function fittedRow(row: readonly string[], count: number): readonly string[] {
  const kept = row.slice(0, count - 1);
  const last = row.slice(count - 1).join(" | ");
  return [...kept, ...Array<string>(Math.max(0, count - 1 - kept.length)).fill(""), last];
}

function listed(header: readonly string[], row: readonly string[], style: TableStyle): readonly string[] {
  const { columns, colours } = style;
  const entries = row.flatMap((text, index) =>
    styledRows([{ text: `${header[index] ?? ""}: `, paint: colours.bold }, ...style.inline(text)], {
      columns,
      first: "",
      rest: "  ",
    }),
  );
  return [...entries, ""];
}

/** A cell is one line of Markdown, so that only HTML breaks it. */
function linesOf(cell: string): readonly string[] {
  return cell.split(/<br\s*\/?>/i);
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((width, { text }) => width + textColumns(text), 0);
}

/** Narrows the widest column until all fit. */
function fittedWidths(natural: readonly number[], room: number): readonly number[] {
  const widths = natural.map((width) => Math.max(1, width));
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

function drawnRow(
  row: readonly (readonly (readonly Span[])[])[],
  widths: readonly number[],
  isRight: readonly boolean[],
): readonly string[] {
  const cells = row.map((lines, index) =>
    lines.flatMap((spans) => styledRows(spans, { columns: widths[index] ?? 1, first: "", rest: "" })),
  );
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, index) => padded(lines[line] ?? "", widths[index] ?? 0, isRight[index] === true))
      .join(GAP)
      .trimEnd(),
  );
}

function padded(text: string, width: number, isRight: boolean): string {
  const space = " ".repeat(Math.max(0, width - textColumns(stripVTControlCharacters(text))));
  return isRight ? space + text : text + space;
}
