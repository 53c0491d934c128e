import { renderInline, textColumns } from "@haft/text";
import { terminalSize } from "../ask/terminal-size.js";
import type { CliIo } from "../cli-io.js";
import { fitColumns } from "./fit-columns.js";

/** How a table fits a terminal that is narrower than it. */
export interface TableFit {
  /** No row is wider. */
  readonly width?: number | undefined;
  /** The column to type from, such as an id. It is cut last. Default: the first. */
  readonly key?: string;
  /** The column to narrow first, such as a text. Default: the last. */
  readonly text?: string;
  /** Columns to leave out, first one first, before the others become too narrow to read. */
  readonly spare?: readonly string[];
}

/** Rows as columns, as wide as they need to be; the last one is not padded. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  fit: TableFit = {},
): string {
  const table = [header, ...rows].map((row) => row.map((cell) => renderInline(cell)));
  const { cells, widths } = fittedTable(table, fit, 0);
  return cells
    .map((row) =>
      row
        .map((cell, column) => padded(fitColumns(cell, widths[column] ?? 0), widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/** Returns the terminal width, or undefined if standard output is not a terminal. */
export function tableWidth({ stdout, stderr }: Pick<CliIo, "stdout" | "stderr">): number | undefined {
  return stdout.isTTY === true ? terminalSize(stderr).columns : undefined;
}

const GAP = "  ";
const MIN_COLUMNS = 4;
const MIN_TEXT = 16;
/** The minimum useful width of a column, unless its content is shorter. */
const READABLE = 8;
const READABLE_KEY = 20;

type Cells = readonly (readonly string[])[];

/** Leaves out the first spare columns until the others can be read. */
function fittedTable(
  table: Cells,
  fit: TableFit,
  leftOut: number,
): { readonly cells: Cells; readonly widths: readonly number[] } {
  const { width, key, text, spare = [] } = fit;
  const header = table[0] ?? [];
  const kept = header.map((name) => !spare.slice(0, leftOut).includes(name));
  const cells = table.map((row) => row.filter((_, column) => kept[column]));
  const names = cells[0] ?? [];
  const natural = names.map((_, column) => Math.max(...cells.map((row) => textColumns(row[column] ?? ""))));
  if (width === undefined) return { cells, widths: natural };
  const widths = fitted(natural, width - GAP.length * (names.length - 1), {
    key: key === undefined ? 0 : names.indexOf(key),
    text: text === undefined ? names.length - 1 : names.indexOf(text),
  });
  const isReadable = widths.every((columns, column) => columns >= Math.min(READABLE, natural[column] ?? 0));
  if (isReadable || leftOut === spare.length) return { cells, widths };
  return fittedTable(table, fit, leftOut + 1);
}

/** Takes columns from the text, then one by one from the widest but the key, until all fit or none can be narrower. */
function fitted(
  natural: readonly number[],
  room: number,
  { key, text }: { readonly key: number; readonly text: number },
): readonly number[] {
  if (sum(natural) <= room) return natural;
  const widths = [...natural];
  widths[text] = Math.max(Math.min(MIN_TEXT, widths[text] ?? 0), (widths[text] ?? 0) - (sum(widths) - room));
  const least = widths.map((_, column) =>
    column === key ? Math.min(READABLE_KEY, Math.floor(room / 2)) : MIN_COLUMNS,
  );
  while (sum(widths) > room) {
    const spared = widths.map((columns, column) => (columns > (least[column] ?? 0) ? columns : 0));
    const widest = spared.indexOf(Math.max(...spared));
    if (spared[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function padded(cell: string, columns: number): string {
  return cell + " ".repeat(Math.max(0, columns - textColumns(cell)));
}
