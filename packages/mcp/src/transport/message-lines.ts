/** Splits a byte stream into lines. Holds at most one line, and only the ends of one that is too long. */
export class MessageLines {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #heldBytes = 0;
  #isTooLong = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the lines a chunk completes. Lines that are too long keep only their two ends. */
  *append(chunk: Buffer): Generator<MessageLine> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      yield this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  #append(part: Buffer): void {
    this.#heldBytes += part.length;
    if (this.#heldBytes <= this.#maxBytes) {
      this.#parts.push(part);
      return;
    }
    this.#isTooLong = true;
    const ends = Buffer.concat([...this.#parts, part]);
    this.#parts = [
      ends.subarray(0, END_BYTES),
      ends.subarray(Math.max(END_BYTES, ends.length - END_BYTES)),
    ].map((end) => Buffer.from(end));
  }

  #finish(): MessageLine {
    const [head = Buffer.alloc(0), tail = head] = this.#parts;
    const line: MessageLine = this.#isTooLong
      ? { isTooLong: true, head: head.toString("utf8"), tail: tail.toString("utf8") }
      : { isTooLong: false, text: Buffer.concat(this.#parts).toString("utf8") };
    this.#parts = [];
    this.#heldBytes = 0;
    this.#isTooLong = false;
    return line;
  }
}

export type MessageLine =
  | { readonly isTooLong: false; readonly text: string }
  | { readonly isTooLong: true; readonly head: string; readonly tail: string };

const NEWLINE = 0x0a;
const END_BYTES = 512;
