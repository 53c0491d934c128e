import type { CliIo } from "../cli-io.js";

export interface TerminalSize {
  readonly rows: number;
  readonly columns: number;
}

/** Returns the size of the terminal, by default 24 by 80. */
export function terminalSize({ rows, columns }: CliIo["stderr"]): TerminalSize {
  return { rows: rows || 24, columns: columns || 80 };
}

/** The maximum length of a line; unlimited if no terminal shows it. */
export function lineColumns(stream: CliIo["stderr"]): number {
  return stream.isTTY === true ? terminalSize(stream).columns : Number.POSITIVE_INFINITY;
}
