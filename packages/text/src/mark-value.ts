import { renderForHuman } from "./render-for-human.js";
import { wrapColumns } from "./wrap-columns.js";

export interface MarkOptions {
  /** Width of the rows, including the gutter. Default 100. */
  readonly columns?: number;
  /** Whether the value is a unified diff: a line with only its sign then counts as blank. */
  readonly isDiff?: boolean;
}

/**
 * Renders a value as rows that cannot be mistaken for the surrounding output. Each row of the value starts with `│ `,
 * the continuation of a long line with `┆ `, and our own remarks with `⋮ `. Shows the whole value; folds runs of
 * blank rows into a count.
 */
export function markValue(text: string, options: MarkOptions = {}): readonly string[] {
  const { columns = DEFAULT_COLUMNS, isDiff = false } = options;
  const width = Math.max(MIN_VALUE_COLUMNS, columns - GUTTER_COLUMNS);
  // Makes changed line endings visible and keeps text after long runs of spaces in view.
  const visible = text.replaceAll("\r\n", "\\r\n").replace(MANY_SPACES, ({ length }) => `⟨${length} spaces⟩`);
  const lines = renderForHuman(visible).split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  const rows = lines.flatMap((line) =>
    wrapColumns(line, width).map((row, index): Row => ({ gutter: index === 0 ? "│" : "┆", text: row })),
  );
  return foldBlank(rows, isDiff, width);
}

const DEFAULT_COLUMNS = 100;
const MANY_SPACES = /(?<=[^\n]) {60,}(?=[^ \n])/g;
const MIN_VALUE_COLUMNS = 8;
const GUTTER_COLUMNS = 2;

interface Row {
  readonly gutter: string;
  readonly text: string;
}

function foldBlank(rows: readonly Row[], isDiff: boolean, width: number): readonly string[] {
  const shown: string[] = [];
  for (let start = 0; start < rows.length; ) {
    const sign = blankSign(rows[start] as Row, isDiff);
    let end = start + 1;
    if (sign !== undefined)
      while (end < rows.length && blankSign(rows[end] as Row, isDiff) === sign) end += 1;
    const run = rows.slice(start, end);
    shown.push(...(run.length < MIN_FOLDED ? run.map(toText) : remarkRows(remark(run, sign ?? ""), width)));
    start = end;
  }
  return shown;
}

const MIN_FOLDED = 4;

/** Returns the sign of a blank diff line, "" for any other blank row, and undefined for a row with content. */
function blankSign({ gutter, text }: Row, isDiff: boolean): string | undefined {
  if (text.trim() === "") return "";
  const isSign = isDiff && gutter === "│" && /^[+-]\s*$/.test(text);
  return isSign ? text[0] : undefined;
}

function remark(run: readonly Row[], sign: string): string {
  const invisible = run.filter(({ text }) => text.length > sign.length && text !== " ").length;
  const detail = invisible === 0 ? "" : `, ${invisible} of them with spaces or tabs`;
  const kind = sign === "+" ? " added" : sign === "-" ? " removed" : "";
  return `${run.length} blank lines${kind}${detail}`;
}

function remarkRows(text: string, width: number): readonly string[] {
  return wrapColumns(text, width).map((row) => `⋮ ${row}`.trimEnd());
}

function toText({ gutter, text }: Row): string {
  return `${gutter} ${text}`.trimEnd();
}
