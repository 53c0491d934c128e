import { renderForHuman } from "@haft/text";
import { wrappedLines } from "./styled-rows.js";

/** The tail of a model's reasoning before its answer. Drawn while the user waits, then removed. */
export class ThoughtText {
  #tail = "";

  add(delta: string): void {
    this.#tail = (this.#tail + delta).slice(-MAX_CHARS);
  }

  clear(): void {
    this.#tail = "";
  }

  /** Safe to show. */
  rows(columns: number): readonly string[] {
    const text = this.#tail.trim();
    if (text === "") return [];
    const lines = renderForHuman(text.replace(/\n\s*\n/g, "\n"));
    return wrappedLines(lines, columns - INDENT.length)
      .slice(-MAX_ROWS)
      .map((row) => `${INDENT}${row}`);
  }
}

const INDENT = "  ";
const MAX_ROWS = 3;
const MAX_CHARS = 1_000;
