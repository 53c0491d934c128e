import { MarkdownView } from "./markdown-view.js";
import type { RunTerminal } from "./run-terminal.js";
import { StreamedText } from "./streamed-text.js";

/** Displays model output as it streams in: prints complete lines and redraws the current one below them. */
export class SpokenText {
  readonly #terminal: RunTerminal;
  readonly #safe = new StreamedText();
  readonly #view: MarkdownView;
  #line = "";
  #hasSpoken = false;
  /** The length at which another row of the current line may be final. */
  #triedAt = 0;

  constructor(terminal: RunTerminal) {
    this.#terminal = terminal;
    this.#view = new MarkdownView(terminal.colours);
  }

  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  add(delta: string): void {
    if (!this.#hasSpoken) this.#terminal.gap();
    this.#hasSpoken = true;
    this.#take(this.#safe.add(delta));
  }

  /** Ends the text and prints the rest. */
  end(): void {
    this.#take(this.#safe.end());
    if (this.#line !== "") this.#print(this.#line);
    this.#line = "";
    this.#hasSpoken = false;
    this.#printRows(this.#view.end(this.#terminal.columns));
  }

  /** Returns the rows of the current line; only its end if it does not fit. */
  rows(): readonly string[] {
    const { columns, rows } = this.#terminal;
    if (this.#line === "" && !this.#view.isBuffering) return [];
    const most = Math.max(1, Math.floor(rows / 2));
    const shown = this.#line.slice(-most * columns);
    return this.#view.preview(shown, columns).slice(-most);
  }

  #take(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#print(line);
    if (lines.length > 0) this.#triedAt = 0;
    this.#settle();
    // Shows an endless line in pieces, so that no frame has to wrap megabytes.
    if (this.#line.length <= MAX_LINE) return;
    this.#print(this.#line);
    this.#line = "";
  }

  /** Prints the beginning of a long line as soon as it is final, so that little is redrawn. */
  #settle(): void {
    const { columns } = this.#terminal;
    if (this.#line.length < this.#triedAt) return;
    const settled = this.#view.settle(this.#line, columns);
    this.#printRows(settled?.rows ?? []);
    this.#line = settled?.rest ?? this.#line;
    this.#triedAt = this.#line.length + SETTLED_ROWS * columns;
  }

  #print(line: string): void {
    this.#printRows(this.#view.line(line, this.#terminal.columns));
  }

  #printRows(rows: readonly string[]): void {
    if (rows.length > 0) this.#terminal.print(`${rows.join("\n")}\n`);
  }
}

const MAX_LINE = 4_000;

/** Rows that arrive before the beginning of a line is rendered again. Small, because they are redrawn in each frame. */
const SETTLED_ROWS = 3;
