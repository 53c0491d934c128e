import type { CliIo } from "../cli-io.js";

/**
 * The last rows of a terminal, drawn anew whenever something happens there; what is printed goes above
 * them and stays. Takes lines that are safe to show.
 */
export class LiveRegion {
  readonly #stream: CliIo["stderr"];
  #lines: readonly string[] = [];
  #drawnRows = 0;

  constructor(stream: CliIo["stderr"]) {
    this.#stream = stream;
  }

  /** What stands in the region from now on. */
  set(lines: readonly string[]): void {
    this.#lines = fitting(lines, this.#stream.rows || DEFAULT_ROWS);
    this.#stream.write(this.#erase() + this.#draw());
  }

  /** Text that stays, above the region. */
  print(text: string): void {
    this.#stream.write(this.#erase() + text + this.#draw());
  }

  #erase(): string {
    if (this.#drawnRows === 0) return "";
    const up = this.#drawnRows > 1 ? `\u001b[${this.#drawnRows - 1}A` : "";
    this.#drawnRows = 0;
    return `\r${up}\u001b[J`;
  }

  /** With wrapping off a line is one row, however wide its characters are. */
  #draw(): string {
    this.#drawnRows = this.#lines.length;
    return this.#lines.length === 0 ? "" : `\u001b[?7l${this.#lines.join("\r\n")}\u001b[?7h`;
  }
}

const DEFAULT_ROWS = 24;

/** Rows that scroll away cannot be drawn anew, so there are never more than the screen has. */
function fitting(lines: readonly string[], rows: number): readonly string[] {
  const most = Math.max(1, rows - 2);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `  … and ${lines.length - most + 1} more lines`];
}
