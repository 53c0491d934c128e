import { terminalSize } from "../ask/terminal-size.js";
import type { CliIo } from "../cli-io.js";
import { type Colours, coloursFor } from "../output/colours.js";
import { LiveRegion } from "./live-region.js";

/**
 * Displays a run: printed text and, on a terminal, rows below it that are redrawn a few times a second. All text must
 * already be escaped.
 */
export class RunTerminal {
  /** Whether a person reads what is printed, as soon as it is. */
  readonly isTerminal: boolean;
  /** Whether rows can be redrawn. */
  readonly isLive: boolean;
  /** Whether past events are shown and nothing is running. */
  readonly isReplay: boolean;
  readonly colours: Colours;
  readonly #stream: CliIo["stderr"];
  readonly #region: LiveRegion;
  #rows: () => readonly string[] = () => [];
  #footer: () => readonly string[] = () => [];
  /** Text to print with the next frame. */
  #buffered = "";
  #frame: NodeJS.Timeout | undefined;
  #isHeld = false;
  /** Runs while the terminal may still change its size. */
  #resizing: NodeJS.Timeout | undefined;
  #resizedSince: number | undefined;
  #lent: Promise<unknown> = Promise.resolve();
  #endsBlank = true;

  constructor({ stderr, env }: Pick<CliIo, "stderr" | "env">, { isReplay = false } = {}) {
    this.#stream = stderr;
    this.isReplay = isReplay;
    this.isTerminal = stderr.isTTY === true;
    this.isLive = !isReplay && this.isTerminal && env.TERM !== "dumb";
    this.colours = coloursFor(stderr, env);
    this.#region = new LiveRegion(stderr, env);
    if (this.isLive) stderr.on("resize", this.#onResize);
  }

  get columns(): number {
    return terminalSize(this.#stream).columns;
  }

  /** The width of a row; output that is not a terminal may have long lines. */
  get width(): number {
    return this.isTerminal ? this.columns : PLAIN_COLUMNS;
  }

  get rows(): number {
    return terminalSize(this.#stream).rows;
  }

  /** Prints complete lines that stay. */
  print(text: string): void {
    this.#endsBlank = text.endsWith("\n\n");
    if (!this.isLive) {
      this.#stream.write(text);
      return;
    }
    this.#buffered += text;
    this.#schedule();
  }

  /** Prints a blank line unless there is one. */
  gap(): void {
    if (!this.#endsBlank) this.print("\n");
    this.#endsBlank = true;
  }

  /** Sets the rows to redraw. Has no effect where redrawing is impossible. */
  draw(rows: () => readonly string[]): void {
    this.#rows = rows;
    this.#schedule();
  }

  /** Sets rows that always stay visible below the others, such as a prompt. */
  setFooter(footer: () => readonly string[]): void {
    this.#footer = footer;
    this.#schedule();
  }

  /** Draws immediately, or once the terminal keeps its size. */
  refresh(): void {
    if (this.#resizing === undefined) this.#draw();
  }

  #draw(): void {
    clearTimeout(this.#frame);
    clearTimeout(this.#resizing);
    this.#frame = undefined;
    this.#resizing = undefined;
    this.#resizedSince = undefined;
    if (!this.isLive || this.#isHeld) return;
    const text = this.#buffered;
    this.#buffered = "";
    this.#region.set(this.#rows(), this.#footer(), text);
  }

  /**
   * Leaves the terminal to something else, such as a question or a pager; what happens meanwhile is shown afterwards.
   * Those who ask for it take turns.
   */
  lend<T>(work: () => Promise<T>): Promise<T> {
    const lent = this.#lent.then(() => this.#lendNow(work));
    this.#lent = lent.catch(() => {});
    return lent;
  }

  /** Lends the terminal to a question, whose rows stay. Tells it whether the row above is blank already. */
  ask<T>(work: (isApart: boolean) => Promise<T>): Promise<T> {
    return this.lend(() => {
      const isApart = this.#endsBlank;
      this.#endsBlank = false;
      return work(isApart);
    });
  }

  async #lendNow<T>(work: () => Promise<T>): Promise<T> {
    this.#draw();
    if (this.isLive) this.#region.set([]);
    this.#isHeld = true;
    try {
      return await work();
    } finally {
      this.#isHeld = false;
      this.refresh();
    }
  }

  /** Erases redrawn rows; printed text stays. Call it last. */
  end(): void {
    this.#stream.off("resize", this.#onResize);
    this.#rows = () => [];
    this.#footer = () => [];
    this.#isHeld = false;
    this.#draw();
  }

  readonly #onResize = (): void => {
    clearTimeout(this.#resizing);
    this.#resizedSince ??= performance.now();
    const leftMs = this.#resizedSince + MAX_RESIZING_MS - performance.now();
    this.#resizing = setTimeout(() => this.#draw(), Math.max(0, Math.min(RESIZED_MS, leftMs)));
  };

  #schedule(): void {
    if (!this.isLive || this.#isHeld) return;
    this.#frame ??= setTimeout(() => this.refresh(), FRAME_MS).unref();
  }
}

const PLAIN_COLUMNS = 200;

/** tmux rewraps its rows at once, but announces the sizes of a series up to 250 ms later. Rows drawn meanwhile would stay. */
const RESIZED_MS = 300;

/** While a person drags the edge of the window, output still appears this often. */
const MAX_RESIZING_MS = 1000;

/** Frequent enough to look immediate, rare enough not to slow the work down. */
const FRAME_MS = 30;
