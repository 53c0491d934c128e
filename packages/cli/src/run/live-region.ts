import { terminalSize } from "../ask/terminal-size.js";
import type { CliIo } from "../cli-io.js";
import { type DrawnLines, eraseRows, NOTHING_DRAWN, rowsTaken } from "../output/drawn-lines.js";

/**
 * The last rows of a terminal, redrawn on every change; printed text stays above them. All lines must already be
 * escaped.
 */
export class LiveRegion {
  readonly #stream: CliIo["stderr"];
  readonly #keepsLast: boolean;
  #lines: readonly string[] = [];
  #drawn: DrawnLines = NOTHING_DRAWN;

  constructor(stream: CliIo["stderr"], env: CliIo["env"] = {}) {
    this.#stream = stream;
    this.#keepsLast = env.TERM_PROGRAM === "vscode";
  }

  /** Replaces the rows and prints text above them. The footer is never cut. */
  set(lines: readonly string[], footer: readonly string[] = [], above = ""): void {
    const most = terminalSize(this.#stream).rows - 2 - footer.length;
    this.#lines = [...fitting(lines, most), ...footer];
    this.#stream.write(this.#erase() + above + this.#draw());
  }

  /** Prints text above the region. */
  print(text: string): void {
    this.#stream.write(this.#erase() + text + this.#draw());
  }

  #erase(): string {
    const rows = rowsTaken(this.#drawn, terminalSize(this.#stream).columns);
    this.#drawn = NOTHING_DRAWN;
    return eraseRows(Math.min(rows, terminalSize(this.#stream).rows));
  }

  /** Turns wrapping off, so that each line takes exactly one row. */
  #draw(): string {
    const { columns } = terminalSize(this.#stream);
    this.#drawn = { lines: this.#lines, columns, keepsLast: this.#keepsLast };
    return this.#lines.length === 0 ? "" : `\u001b[?7l${this.#lines.join("\r\n")}\u001b[?7h`;
  }
}

/** Limits the region to the screen, because rows that scroll away cannot be redrawn. */
function fitting(lines: readonly string[], rows: number): readonly string[] {
  const most = Math.max(1, rows);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `  … and ${lines.length - most + 1} more lines`];
}
