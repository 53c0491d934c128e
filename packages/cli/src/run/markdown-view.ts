import { wrapColumns } from "@haft/text";
import { type InlineSpan, isTableRule, parseInline } from "@haft/text/display";
import { colourDiffLine } from "../ask/colour-diff-line.js";
import type { Colours } from "../output/colours.js";
import { type Block, PLAIN, proseBlock } from "./markdown-block.js";
import { breaksOf, isSameRow, lastFitting, wordCount } from "./markdown-breaks.js";
import { isTableLine, tableRows } from "./markdown-table.js";
import { styledRows } from "./styled-rows.js";
import type { Span } from "./words-of.js";

/**
 * Renders Markdown line by line as it streams in. Input must be escaped; all control sequences in the result are
 * colours added here. Unknown syntax is left unchanged.
 */
export class MarkdownView {
  readonly #colours: Colours;
  #fence: { readonly mark: string; readonly language: string } | undefined;
  /** The current block, once its first rows have been printed. */
  #open: Block | undefined;
  /** The table lines received so far. */
  #table: string[] = [];

  constructor(colours: Colours) {
    this.#colours = colours;
  }

  /** Whether complete lines are held back until more text arrives. */
  get isBuffering(): boolean {
    return this.#table.length > 0;
  }

  /** Returns the rows of a complete line, or of the rest that `settle` left. Tables return rows only when complete. */
  line(text: string, columns: number): readonly string[] {
    if (this.#takesToTable(text)) return [];
    return [...this.#endTable(columns), ...this.#lineRows(text.trimEnd(), columns)];
  }

  /** Returns the rows of an incomplete line. */
  preview(text: string, columns: number): readonly string[] {
    return [...this.#table, text].flatMap((line) => this.#rows(this.#blockOf(line.trimEnd()), columns));
  }

  /** Returns the first rows of an incomplete line that later text cannot change, and the remaining text. */
  settle(text: string, columns: number): SettledRows | undefined {
    const block = this.#blockOf(text);
    if (block.isWhole || this.#mayBeTable(text)) return undefined;
    const all = this.#rows(block, columns);
    const rowsTo = (end: number) => this.#rows({ ...block, text: block.text.slice(0, end) }, columns);
    const certain = this.#certainTo(block);
    // The row before a mark that is still open ends where the mark allows.
    const certainRows = certain === block.text.length ? all : rowsTo(certain);
    const most = Math.min(all.length - LIVE_ROWS, certainRows.length - 1);
    if (most <= 0) return undefined;
    const breaks = breaksOf(block);
    const settledAt = (end: number): SettledRows | undefined => {
      const rows = rowsTo(end);
      const isCertain = this.#certainTo({ ...block, text: block.text.slice(0, end) }) === end;
      // A break inside a mark would render the mark as text and end the row elsewhere.
      const isFinal = isCertain && rows.length <= most && rows.every((row, at) => isSameRow(row, all[at]));
      return isFinal ? { rows, rest: block.text.slice(end) } : undefined;
    };
    // Rendering is expensive, and marks rarely change how many words there are.
    const likely = breaks[wordCount(all.slice(0, most), block) - 1] ?? 0;
    const settled =
      settledAt(likely) ?? settledAt(lastFitting(breaks, (place) => rowsTo(place).length <= most) ?? 0);
    if (settled !== undefined) this.#open = { ...block, first: block.rest };
    return settled;
  }

  /** Ends the text and returns the rows held back. The next line starts a new text. */
  end(columns: number): readonly string[] {
    const rows = this.#endTable(columns);
    this.#fence = undefined;
    this.#open = undefined;
    return rows;
  }

  #lineRows(text: string, columns: number): readonly string[] {
    const fence = this.#open === undefined ? FENCE.exec(text) : null;
    if (fence !== null && this.#takesFence(fence[1] ?? "", fence[2] ?? "")) return [this.#colours.dim(text)];
    const rows = this.#rows(this.#blockOf(text), columns);
    this.#open = undefined;
    return rows;
  }

  #mayBeTable(text: string): boolean {
    return this.#fence === undefined && this.#open === undefined && isTableLine(text);
  }

  /** Returns whether the line is held back because it is, or may start, a table. */
  #takesToTable(text: string): boolean {
    const isPart =
      this.#mayBeTable(text) &&
      this.#table.length < MAX_TABLE &&
      (this.#table.length !== 1 || isTableRule(text));
    if (isPart) this.#table.push(text);
    return isPart;
  }

  #endTable(columns: number): readonly string[] {
    const lines = this.#table;
    this.#table = [];
    if (lines.length < 2) return lines.flatMap((line) => this.#lineRows(line.trimEnd(), columns));
    return tableRows(lines, { columns, colours: this.#colours, inline: (text) => this.#inline(text) });
  }

  /** Starts or ends a block of code. Returns false if the line is part of it. */
  #takesFence(mark: string, info: string): boolean {
    if (this.#fence === undefined) this.#fence = { mark, language: /^[\w+-]*/.exec(info)?.[0] ?? "" };
    else if (mark.startsWith(this.#fence.mark) && info === "") this.#fence = undefined;
    else return false;
    return true;
  }

  #blockOf(text: string): Block {
    if (this.#open !== undefined) return { ...this.#open, text };
    if (this.#fence !== undefined) return { ...PLAIN, text, isCode: true };
    return proseBlock(text, this.#colours);
  }

  #rows(block: Block, columns: number): readonly string[] {
    const { text, paint, first, rest } = block;
    if (block.isCode) return this.#code(text, columns);
    if (block.isRule) return [this.#colours.dim("─".repeat(Math.min(columns, RULE_COLUMNS)))];
    const spans = this.#inline(text).map(
      ({ text: part, paint: own }): Span => ({
        text: part,
        paint: (shown) => paint(own(shown)),
      }),
    );
    return styledRows(withoutIndent(spans), { columns, first, rest });
  }

  #code(text: string, columns: number): readonly string[] {
    const isDiff = this.#fence?.language === "diff";
    const { cyan } = this.#colours;
    return wrapColumns(text, columns).map((row) =>
      isDiff ? colourDiffLine(row, this.#colours) : row === "" ? row : cyan(row),
    );
  }

  #inline(text: string): readonly Span[] {
    const keepsCodeMarks = !this.#colours.isColorSupported;
    const { spans } = parseInline(text, { keepsCodeMarks });
    return spans.map((span) => ({ text: span.text, paint: this.#paintOf(span) }));
  }

  #paintOf({ styles }: InlineSpan): Span["paint"] {
    const { cyan, bold, italic, strikethrough, underline, dim } = this.#colours;
    const paints = {
      code: cyan,
      strong: bold,
      em: italic,
      gone: strikethrough,
      link: underline,
      target: dim,
    };
    return (text) => styles.reduce((painted, style) => paints[style](painted), text);
  }

  #certainTo({ text, isCode }: Block): number {
    return isCode ? text.length : parseInline(text).certainTo;
  }
}

export interface SettledRows {
  readonly rows: readonly string[];
  readonly rest: string;
}

/** Longer tables are drawn in parts. */
const MAX_TABLE = 200;

/** Rows of the current line that are redrawn; earlier rows are printed. */
const LIVE_ROWS = 3;

/** A full row would wrap when the terminal becomes narrower. */
const RULE_COLUMNS = 40;

/** Blocks keep their indentation in their prefix. */
function withoutIndent(spans: readonly Span[]): readonly Span[] {
  const at = spans.findIndex(({ text }) => text.trim() !== "");
  const first = spans[at];
  return first === undefined ? [] : [{ ...first, text: first.text.trimStart() }, ...spans.slice(at + 1)];
}

/** The beginning of a block of code, with the language and more, or its end. */
const FENCE = /^\s*(```+(?=[^`]*$)|~~~+)\s*(.*)$/;
