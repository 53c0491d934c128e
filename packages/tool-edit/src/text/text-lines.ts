import type { LineSpan } from "@haft/text";

/** The lines of a text that may be long: where they start is found once, the rest when it is asked for. */
export class TextLines {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#starts = lineStarts(text);
  }

  get length(): number {
    return this.#starts.length;
  }

  /** Undefined outside. */
  spanAt(index: number): LineSpan | undefined {
    const start = this.#starts[index];
    if (start === undefined) return undefined;
    const next = this.#starts[index + 1] ?? this.#text.length;
    if (this.#text[next - 1] !== "\n") return { start, end: next, ending: "" };
    const isCrlf = next - 1 > start && this.#text[next - 2] === "\r";
    return { start, end: next - (isCrlf ? 2 : 1), ending: isCrlf ? "\r\n" : "\n" };
  }

  /** The 1-based number of the line an offset is in; the end of the last line opens another one. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const isPastEnd = offset === this.#text.length && this.#text.endsWith("\n");
    return Math.max(1, isPastEnd ? low + 1 : low);
  }

  /** The texts of a range, without line endings. */
  slice(from: number, to: number): readonly string[] {
    const texts: string[] = [];
    for (let index = from; index < Math.min(to, this.length); index += 1) {
      const span = this.spanAt(index);
      if (span !== undefined) texts.push(this.#text.slice(span.start, span.end));
    }
    return texts;
  }
}

function lineStarts(text: string): readonly number[] {
  const starts: number[] = [];
  for (let start = 0; start < text.length; ) {
    starts.push(start);
    const newline = text.indexOf("\n", start);
    start = newline === -1 ? text.length : newline + 1;
  }
  return starts;
}
