import type { CliIo } from "../cli-io.js";
import { terminalSize } from "./terminal-size.js";
import type { PagedText } from "./view-rows.js";

/**
 * Pages through a text without $PAGER. Resolves with how far the text was shown, when the user leaves or the signal
 * aborts.
 */
export function pageRows(text: PagedText, io: CliIo, signal: AbortSignal): Promise<PagedRows> {
  if (io.env.TERM === "dumb") return printAll(text, io);
  return new Promise((resolve) => {
    const { stdin, stderr } = io;
    const terminal: Partial<Pick<NodeJS.ReadStream, "setRawMode">> & CliIo["stdin"] = stdin;
    const page = new Page(text, stderr);
    const finish = () => {
      stdin.off("data", press).off("end", finish).off("error", finish).pause();
      stderr.off("resize", draw);
      signal.removeEventListener("abort", finish);
      terminal.setRawMode?.(false);
      stderr.write(MAIN_SCREEN);
      resolve(page.shown);
    };
    const draw = () => void stderr.write(page.draw());
    const press = (typed: Buffer | string) => {
      const isLeft = keysOf(String(typed)).some((key) => page.press(key) === "leave");
      if (isLeft) finish();
      else draw();
    };
    terminal.setRawMode?.(true);
    stderr.write(OTHER_SCREEN);
    stderr.on("resize", draw);
    stdin.on("data", press).once("end", finish).once("error", finish);
    signal.addEventListener("abort", finish, { once: true });
    draw();
    stdin.resume();
    if (signal.aborted) finish();
  });
}

/** How far a text was shown: the last visible row, counted from 1, and the number of rows. */
export interface PagedRows {
  readonly last: number;
  readonly total: number;
}

export function isShownWhole({ last, total }: PagedRows): boolean {
  return total > 0 && last >= total;
}

const OTHER_SCREEN = "\u001b[?1049h";
const MAIN_SCREEN = "\u001b[?1049l";
const CLEAR = "\u001b[H\u001b[2J";

async function printAll(text: PagedText, { stderr }: CliIo): Promise<PagedRows> {
  const rows = text.rows(terminalSize(stderr).columns);
  stderr.write(`${rows.join("\n")}\n`);
  return { last: rows.length, total: rows.length };
}

/** A position in a text. */
class Page {
  readonly #text: PagedText;
  readonly #stream: CliIo["stderr"];
  #top = 0;
  #total = 0;
  #shown: PagedRows = { last: 0, total: 0 };

  constructor(text: PagedText, stream: CliIo["stderr"]) {
    this.#text = text;
    this.#stream = stream;
  }

  /** The whole text once the last row was drawn; otherwise the page drawn last. */
  get shown(): PagedRows {
    return this.#shown;
  }

  press(key: string): "leave" | "stay" {
    const height = this.#height;
    const step: Readonly<Record<string, number>> = {
      " ": height,
      f: height,
      "\u001b[6~": height,
      b: -height,
      "\u001b[5~": -height,
      "\r": 1,
      "\n": 1,
      j: 1,
      "\u001b[B": 1,
      k: -1,
      "\u001b[A": -1,
      g: Number.NEGATIVE_INFINITY,
      "\u001b[H": Number.NEGATIVE_INFINITY,
      "\u001b[1~": Number.NEGATIVE_INFINITY,
      G: Number.POSITIVE_INFINITY,
      "\u001b[F": Number.POSITIVE_INFINITY,
      "\u001b[4~": Number.POSITIVE_INFINITY,
    };
    if (LEAVE.includes(key)) return "leave";
    this.#top = Math.max(0, Math.min(this.#top + (step[key] ?? 0), this.#rows.length - height));
    return "stay";
  }

  draw(): string {
    const rows = this.#rows;
    // After a resize, scroll to the same relative position.
    if (this.#total > 0) this.#top = Math.floor((this.#top * rows.length) / this.#total);
    this.#total = rows.length;
    this.#top = Math.max(0, Math.min(this.#top, rows.length - this.#height));
    const last = Math.min(rows.length, this.#top + this.#height);
    if (!isShownWhole(this.#shown)) this.#shown = { last, total: rows.length };
    const shown = rows.slice(this.#top, last).map((row) => this.#text.paint(row));
    return `${CLEAR}${shown.join("\r\n")}\r\n\u001b[7m${this.#status(rows.length)}\u001b[27m`;
  }

  get #rows(): readonly string[] {
    return this.#text.rows(terminalSize(this.#stream).columns);
  }

  /** Leaves one row for the status line. */
  get #height(): number {
    return Math.max(1, terminalSize(this.#stream).rows - 1);
  }

  #status(total: number): string {
    const { columns } = terminalSize(this.#stream);
    const last = Math.min(total, this.#top + this.#height);
    const keys = columns < WIDE ? "" : ": next, back, done";
    const place = ` ${this.#top + 1}-${last} of ${total}${last === total ? ", end" : ""} · space b q${keys} `;
    const room = columns - place.length - 1;
    const { title } = this.#text;
    const name = title.length <= room ? title : `${title.slice(0, Math.max(0, room - 1))}…`;
    return `${room > 8 ? name : ""}${place}`.slice(0, columns - 1);
  }
}

const WIDE = 60;
const LEAVE = ["q", "Q", "\u001b", "\u0003", "\u0004"];

/** Splits input that may contain several keys, some of them escape sequences. */
function keysOf(typed: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys send escape sequences.
  return typed.match(/\u001b\[[0-9;]*[A-Za-z~]|[\s\S]/g) ?? [];
}
