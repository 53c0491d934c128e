import type { CliIo } from "../cli-io.js";
import { type Colours, coloursFor } from "../output/colours.js";
import { LiveRegion } from "./live-region.js";

/**
 * Where a run is shown: text that stays, words that come in pieces, and, on a terminal, rows that are
 * drawn anew below them. Everything it is given must be safe to show.
 */
export class RunTerminal {
  readonly isLive: boolean;
  readonly colours: Colours;
  readonly #stream: CliIo["stderr"];
  readonly #region: LiveRegion;
  #rows: readonly string[] = [];
  #isMidLine = false;
  #heldBack: string[] | undefined;

  constructor({ stderr, env }: CliIo) {
    this.#stream = stderr;
    this.isLive = stderr.isTTY === true && env.TERM !== "dumb";
    this.colours = coloursFor(stderr, env);
    this.#region = new LiveRegion(stderr);
  }

  /** Text that stays, beginning on a line of its own. */
  print(text: string): void {
    if (this.#heldBack !== undefined) {
      this.#heldBack.push(text);
      return;
    }
    const whole = this.#isMidLine ? `\n${text}` : text;
    this.#isMidLine = false;
    if (this.isLive) this.#region.print(whole);
    else this.#stream.write(whole);
  }

  /** The next piece of a text; the rows below come back when it has ended. */
  write(piece: string): void {
    if (piece === "") return;
    if (this.#heldBack !== undefined) {
      this.#heldBack.push(piece);
      return;
    }
    if (!this.#isMidLine && this.isLive) this.#region.set([]);
    this.#stream.write(piece);
    this.#isMidLine = !piece.endsWith("\n");
  }

  /** The text that came in pieces is whole. */
  endText(): void {
    if (this.#isMidLine) this.print("\n");
  }

  /** The rows that are drawn anew; nothing where that is not possible. */
  draw(rows: readonly string[]): void {
    this.#rows = rows;
    if (this.isLive && this.#heldBack === undefined && !this.#isMidLine) this.#region.set(rows);
  }

  /** Leaves the terminal to a question; what happens meanwhile is shown afterwards. */
  hold(): void {
    if (this.isLive) this.#region.set([]);
    this.#heldBack ??= [];
  }

  release(): void {
    const texts = this.#heldBack ?? [];
    this.#heldBack = undefined;
    for (const text of texts) this.print(text);
    this.draw(this.#rows);
  }
}
