/**
 * Collects the lines of a stream that report a failure, with their offsets, so that errors in the omitted part of a
 * long output still show. Bounded.
 */
export class ErrorLines {
  readonly #from: number;
  readonly #lines: ErrorLine[] = [];
  #offset = 0;
  /** The unfinished line at the end of the last chunk. */
  #rest = "";

  /** Considers lines that start at or after an offset. */
  constructor(from: number) {
    this.#from = from;
  }

  push(chunk: Buffer): void {
    const start = this.#offset - this.#rest.length;
    this.#offset += chunk.length;
    if (this.#lines.length >= MAX_LINES) return;
    // Latin-1 makes one character one byte, so offsets count; a collected line is decoded later.
    const text = this.#rest + chunk.toString("latin1");
    const end = text.lastIndexOf("\n") + 1;
    this.#rest = text.slice(Math.max(end, text.length - MAX_LINE_BYTES));
    if (TROUBLE.test(text)) this.#keep(text.slice(0, end), start);
  }

  /** Returns the lines that start before an offset, in order. */
  before(end: number): readonly string[] {
    return this.#lines.filter((line) => line.start < end).map((line) => line.text);
  }

  #keep(text: string, start: number): void {
    let at = 0;
    for (const line of text.split("\n")) {
      if (start + at >= this.#from && TROUBLE.test(line) && this.#lines.length < MAX_LINES)
        this.#lines.push({ start: start + at, text: decode(line) });
      at += line.length + 1;
    }
  }
}

interface ErrorLine {
  readonly start: number;
  readonly text: string;
}

const TROUBLE = /error|fail|panic|exception|warning:/i;
const MAX_LINES = 40;
const MAX_LINE_BYTES = 400;

function decode(line: string): string {
  return Buffer.from(line.slice(0, MAX_LINE_BYTES), "latin1").toString("utf8").trimEnd();
}
