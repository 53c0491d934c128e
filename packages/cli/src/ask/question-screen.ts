import { renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { type DrawnLines, eraseRows, NOTHING_DRAWN, rowsTaken } from "../output/drawn-lines.js";
import { wrappedLines } from "../run/styled-rows.js";
import { askLine, type LineQuestion } from "./ask-line.js";
import { isShownWhole } from "./built-in-pager.js";
import { discardTypedAhead } from "./discard-typed-ahead.js";
import { terminalSize } from "./terminal-size.js";
import { RESIZED, untilResized } from "./until-resized.js";
import { type Viewed, viewRows } from "./view-rows.js";

/** The rows of a question for a terminal of a given width. All text is escaped; `paint` adds colour. */
export interface QuestionView {
  /** Names the subject of the question in one row. */
  readonly title: string;
  /** The question and the reason for it. */
  readonly head: readonly string[];
  /** Everything the user decides on. Each row is marked as a value. */
  readonly content: readonly string[];
  /** A few rows right above the prompt that repeat the target and its size. */
  readonly verdict: readonly string[];
}

export interface QuestionParts {
  readonly io: CliIo;
  /** Whether the row above the question is blank already. */
  readonly isApart?: boolean;
  view(columns: number): QuestionView;
  paint(row: string): string;
}

/** Returns the offered answers as rows for the current terminal size. */
export type Choices = () => readonly string[];

export type Asking = Pick<LineQuestion, "signal" | "onInterrupt" | "onEscape">;

/**
 * One question on a terminal. Shows as much as fits above the prompt, and tracks whether the user could see all of it
 * on the screen or in a pager.
 */
export class QuestionScreen {
  readonly #parts: QuestionParts;
  readonly #viewAt: (columns: number) => QuestionView;
  #isSeen = false;
  /** The rows of the question directly above the prompt. */
  #printed: DrawnLines = NOTHING_DRAWN;
  /** Whether the whole question is right above the prompt, so that its verdict would only repeat its head. */
  #isShort = false;
  /** How far a pager showed the question, if it was not shown completely. */
  #notice = "";

  constructor(parts: QuestionParts) {
    this.#parts = parts;
    this.#viewAt = memoized((columns) => parts.view(columns));
  }

  /** Whether the user could see everything. Approval is impossible until then. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  /** The number of rows between the content and the choices. */
  get verdictRows(): number {
    return this.#verdict.length;
  }

  /** Prints the question above the prompt. */
  show(choices: Choices): void {
    this.#printed = NOTHING_DRAWN;
    this.#isShort = false;
    const { head, content, verdict } = this.#view;
    const room = this.#size.rows - verdict.length - choices().length - PROMPT_ROWS;
    const rows = [...head, ...content];
    this.#isSeen ||= rows.length <= room;
    if (this.#isSeen && rows.length > room) return;
    this.#isShort = rows.length <= Math.min(room, SHORT_ROWS) && repeatsTitle(this.#view);
    const gap = this.#parts.isApart === true ? [] : [""];
    this.#print([...gap, ...(rows.length <= room ? rows : preview(rows, room))]);
  }

  /** Shows the whole question in a pager. It counts as seen once the last page was shown. */
  async view({ signal }: Asking): Promise<void> {
    const rows = memoized((columns) => {
      const { head, content, verdict } = this.#viewAt(columns);
      return [...head, ...content, "", ...verdict];
    });
    const { io, paint } = this.#parts;
    const viewed = await viewRows({ title: this.#view.title, rows, paint }, io, signal);
    if (this.#isSeen) return;
    this.#isSeen = "program" in viewed || isShownWhole(viewed);
    this.#notice = noticeOf(viewed);
  }

  /**
   * SECURITY: accepts only answers typed after the question was visible. Prints the verdict and the choices, discards
   * earlier input, then prompts.
   */
  async ask(choices: Choices, asking: Asking): Promise<string | undefined> {
    const { io } = this.#parts;
    for (;;) {
      this.#print(["", ...(this.#isShort ? [] : this.#verdict), ...choices()]);
      const { isInterrupted } = await discardTypedAhead(io, asking);
      if (isInterrupted && asking.onInterrupt === undefined) return undefined;
      // As at the prompt, the handler withdraws the question.
      if (isInterrupted) asking.onInterrupt?.();
      const typed = await untilResized(io, asking.signal, (signal) =>
        askLine(io, { ...asking, signal, question: "> " }),
      );
      if (typed !== RESIZED) {
        this.#printed = NOTHING_DRAWN;
        this.#isShort = false;
        return typed?.trim().toLowerCase();
      }
      this.#erase();
      this.show(choices);
    }
  }

  /** Erases the question and its prompt from the screen. */
  #erase(): void {
    const { rows, columns } = this.#size;
    const taken = rowsTaken(this.#printed, columns) + PROMPT_AND_CURSOR_ROWS;
    this.#parts.io.stderr.write(eraseRows(Math.min(taken, rows)));
  }

  get #verdict(): readonly string[] {
    const notice = this.#notice === "" ? [] : wrappedLines(this.#notice, this.#size.columns);
    return [...notice, ...this.#view.verdict];
  }

  #print(rows: readonly string[]): void {
    const { io, paint } = this.#parts;
    io.stderr.write(`${rows.map(paint).join("\n")}\n`);
    this.#printed = { lines: [...this.#printed.lines, ...rows], columns: this.#size.columns };
  }

  get #view(): QuestionView {
    return this.#viewAt(this.#size.columns);
  }

  get #size() {
    return terminalSize(this.#parts.io.stderr);
  }
}

/** More rows than this separate the head of a question from its prompt. */
const SHORT_ROWS = 12;

/** A prompt that is withdrawn leaves the cursor on the row below it. */
const PROMPT_AND_CURSOR_ROWS = 2;

/** The prompt, plus a blank row above the question and one above the verdict. */
const PROMPT_ROWS = 3;

/** Whether the verdict starts with the whole title: a long one is cut there. Continued rows are marked with `┆`. */
function repeatsTitle({ head, verdict }: QuestionView): boolean {
  const rows = head.findIndex((row, index) => index > 0 && !row.startsWith("┆"));
  return rows > 0 && head.slice(0, rows).every((row, index) => row === verdict[index]);
}

function preview(rows: readonly string[], room: number): readonly string[] {
  const shown = rows.slice(0, Math.max(0, room - 1));
  const left = rows.length - shown.length;
  return [...shown, `⋮ ${left} more ${left === 1 ? "row" : "rows"}`];
}

/** Describes how far a pager showed the question. Empty if it was shown to the end. */
function noticeOf(viewed: Viewed): string {
  if ("program" in viewed) return `Shown in ${renderInline(viewed.program)}, maybe not to the end.`;
  return isShownWhole(viewed) ? "" : `Shown up to row ${viewed.last} of ${viewed.total}.`;
}

/** Caches the last result: a pager asks for the same width on every key. */
function memoized<T>(make: (columns: number) => T): (columns: number) => T {
  let known: { readonly columns: number; readonly value: T } | undefined;
  return (columns) => {
    if (known?.columns !== columns) known = { columns, value: make(columns) };
    return known.value;
  };
}
