import { renderInline } from "@haft/text";
import { fitColumns } from "../output/fit-columns.js";
import { duration } from "./call-card.js";
import type { RunTerminal } from "./run-terminal.js";

/** The row that says what the run waits for, and for how long. */
export class WaitingRow {
  #waiting: Waiting | undefined;

  get isShown(): boolean {
    return this.#waiting !== undefined;
  }

  /** Continues counting if the run was waiting already. */
  start(waiting: Omit<Waiting, "sinceMs">): void {
    this.#waiting = { ...waiting, sinceMs: this.#waiting?.sinceMs ?? performance.now() };
  }

  stop(): void {
    this.#waiting = undefined;
  }

  rows(frame: string, { colours, columns }: RunTerminal): readonly string[] {
    if (this.#waiting === undefined) return [];
    const text = renderInline(textOf(this.#waiting), { maxChars: 200 });
    return [`${colours.cyan(frame)} ${colours.dim(fitColumns(text, columns - 2))}`];
  }
}

interface Waiting {
  readonly what: string;
  readonly sinceMs: number;
  /** When the next attempt starts. */
  readonly untilMs?: number;
}

function textOf({ what, sinceMs, untilMs }: Waiting): string {
  const now = performance.now();
  if (untilMs === undefined) return `${what}… ${seconds(now - sinceMs)}`;
  return `the model did not answer; ${what} in ${Math.max(0, Math.ceil((untilMs - now) / 1000))} s`;
}

function seconds(ms: number): string {
  return ms < 1000 ? "" : duration(Math.floor(ms / 1000) * 1000).replace(".0", "");
}

export const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
