import type { Redact } from "@haft/core";

/**
 * Takes secrets out of a stream of bytes, however it is cut: whole lines at a time, of a very long line
 * all but its end. Bytes in which there is no secret come out as they went in.
 */
export class RedactedLines {
  readonly #redact: Redact;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** What is known to be complete now. */
  push(chunk: Buffer): readonly Buffer[] {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) return [this.#flush(chunk.subarray(0, end)), ...this.#hold(chunk.subarray(end))];
    return this.#hold(chunk);
  }

  rest(): Buffer {
    return this.#flush(Buffer.alloc(0));
  }

  #hold(bytes: Buffer): readonly Buffer[] {
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes < MAX_PENDING_BYTES) return [];
    // The end stays, redacted already, so that a secret which is cut here is still seen whole.
    const done = this.#flush(Buffer.alloc(0));
    this.#hold(done.subarray(done.length - OVERLAP_BYTES));
    return [done.subarray(0, done.length - OVERLAP_BYTES)];
  }

  #flush(last: Buffer): Buffer {
    const bytes = Buffer.concat([...this.#pending, last]);
    this.#pending = [];
    this.#pendingBytes = 0;
    const text = bytes.toString("utf8");
    const redacted = this.#redact(text);
    return redacted === text ? bytes : Buffer.from(redacted);
  }
}

const LINE_FEED = 10;
const MAX_PENDING_BYTES = 64 * 1024;
/** Longer than any secret in one line. */
const OVERLAP_BYTES = 8 * 1024;
