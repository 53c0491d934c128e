import type { LineSpan } from "@haft/text";

/**
 * The lines of a possibly long text: counted once, located on demand. Lines of a part keep their numbers in the file.
 */
export class TextLines {
  readonly length: number;
  readonly #text: string;
  readonly #above: number;
  readonly #held: number;
  /** The starts of every n-th line, to be close to any of them. */
  readonly #starts: readonly number[];
  #last = { index: 0, start: 0 };

  constructor(text: string, { linesAbove = 0, lineCount }: { linesAbove?: number; lineCount?: number } = {}) {
    this.#text = text;
    const { count, starts } = countLineStarts(text);
    this.length = lineCount ?? linesAbove + count;
    this.#above = linesAbove;
    this.#held = count;
    this.#starts = starts;
  }

  /** Returns undefined outside the text. */
  spanAt(index: number): LineSpan | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const held = index - this.#above;
    if (held < 0 || held >= this.#held) throw new RangeError("A line outside the part that was read");
    const start = this.#startOf(held);
    const newline = this.#text.indexOf("\n", start);
    if (newline === -1) return { start, end: this.#text.length, ending: "" };
    const isCrlf = newline > start && this.#text[newline - 1] === "\r";
    return { start, end: isCrlf ? newline - 1 : newline, ending: isCrlf ? "\r\n" : "\n" };
  }

  /** Returns a line without its ending; "" outside the text. */
  textAt(index: number): string {
    const span = this.spanAt(index);
    return span === undefined ? "" : this.#text.slice(span.start, span.end);
  }

  /** Returns the 1-based line of an offset. The end of the last line starts another one. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const nearest = Math.max(0, low - 1);
    let line = this.#above + nearest * STEP + 1;
    for (
      let at = this.#text.indexOf("\n", this.#starts[nearest] ?? 0);
      at !== -1 && at < offset;
      at = this.#text.indexOf("\n", at + 1)
    )
      line += 1;
    return line;
  }

  /** Returns the first line at or after `from` equal to this non-empty one; -1 if there is none. */
  indexOf(line: string, from: number): number {
    const first = Math.max(0, from - this.#above);
    if (first >= this.#held) return -1;
    let at = this.#text.indexOf(line, this.#startOf(first));
    while (at !== -1 && !this.#isLine(at, at + line.length)) {
      // Skips to the next line, because a long line may contain it many times.
      const newline = this.#text.indexOf("\n", at);
      at = newline === -1 ? -1 : this.#text.indexOf(line, newline + 1);
    }
    return at === -1 ? -1 : this.lineAt(at) - 1;
  }

  #isLine(start: number, end: number): boolean {
    if (start > 0 && this.#text[start - 1] !== "\n") return false;
    if (end === this.#text.length) return true;
    if (this.#text[end] === "\n") return this.#text[end - 1] !== "\r";
    return this.#text[end] === "\r" && this.#text[end + 1] === "\n";
  }

  /** Starts from the line requested last if that is nearer, because requests are usually sequential. */
  #startOf(index: number): number {
    const block = index - (index % STEP);
    const isNearer = this.#last.index >= block && this.#last.index <= index;
    let { index: at, start } = isNearer
      ? this.#last
      : { index: block, start: this.#starts[block / STEP] ?? 0 };
    for (; at < index; at += 1) start = this.#text.indexOf("\n", start) + 1;
    this.#last = { index, start };
    return start;
  }

  /** Returns the lines of a range, without line endings. */
  slice(from: number, to: number): readonly string[] {
    const texts: string[] = [];
    for (let index = Math.max(0, from); index < Math.min(to, this.length); index += 1)
      texts.push(this.textAt(index));
    return texts;
  }
}

const STEP = 16;

function countLineStarts(text: string): { readonly count: number; readonly starts: readonly number[] } {
  const starts: number[] = [];
  let count = 0;
  for (let start = 0; start < text.length; count += 1) {
    if (count % STEP === 0) starts.push(start);
    const newline = text.indexOf("\n", start);
    start = newline === -1 ? text.length : newline + 1;
  }
  return { count, starts };
}
