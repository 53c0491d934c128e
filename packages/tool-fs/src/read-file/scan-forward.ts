import { countNewlines, type NewlineUnit, nextLineStart } from "./newline-unit.js";

interface ForwardScan {
  /** Lines to skip before the first kept one. */
  readonly skipLines: number;
  readonly maxLines: number;
  /** Maximum bytes to keep, even if that truncates a line. */
  readonly maxBytes: number;
  /** Continue to the end of the data to count every line. */
  readonly countAll: boolean;
  /** How far to follow a truncated line to find its end. */
  readonly maxTailBytes: number;
  readonly unit: NewlineUnit;
}

export interface ScannedLines {
  readonly bytes: Uint8Array;
  /** Lines skipped; fewer than requested if the data ended. */
  readonly skipped: number;
  /** Whether the last kept line is truncated. */
  readonly isCut: boolean;
  /** Bytes of the last kept line that are not in `bytes`, without its line ending. */
  readonly unreadBytes: number;
  /** Lines seen, including an unfinished last one. */
  readonly lines: number;
  readonly atEnd: boolean;
  /** Whether only the unread rest of the last line follows the kept bytes. */
  readonly keptToEnd: boolean;
}

/** Finds lines in a byte stream and keeps only the requested ones. Stops reading as early as possible. */
export async function scanForward(
  chunks: AsyncIterable<Uint8Array>,
  scan: ForwardScan,
): Promise<ScannedLines> {
  const scanner = new LineScanner(scan);
  for await (const chunk of chunks) {
    scanner.take(chunk);
    if (scanner.isDone) return scanner.result(false);
  }
  return scanner.result(true);
}

class LineScanner {
  readonly #scan: ForwardScan;
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #keptLines = 0;
  #newlines = 0;
  #skipped = 0;
  #unreadBytes = 0;
  #isCut = false;
  #isInCutLine = false;
  #hasLaterLine = false;
  #endsInNewline = true;

  constructor(scan: ForwardScan) {
    this.#scan = scan;
  }

  get isDone(): boolean {
    if (this.#scan.countAll || !this.#isFull) return false;
    if (!this.#isInCutLine) return this.#hasLaterLine;
    return this.#unreadBytes > this.#scan.maxTailBytes;
  }

  get #isFull(): boolean {
    return this.#keptLines >= this.#scan.maxLines || this.#keptBytes >= this.#scan.maxBytes;
  }

  take(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const { unit } = this.#scan;
    let at = this.#skip(chunk);
    if (at < chunk.length) at = this.#keep(chunk, at);
    if (at < chunk.length && this.#isInCutLine) at = this.#passCutLine(chunk, at);
    if (at < chunk.length) {
      this.#hasLaterLine = true;
      if (this.#scan.countAll) this.#newlines += countNewlines(chunk, at, unit);
    }
    this.#endsInNewline = nextLineStart(chunk, chunk.length - unit.width, unit) !== -1;
  }

  result(atEnd: boolean): ScannedLines {
    const isUnfinished = atEnd && !this.#endsInNewline;
    return {
      bytes: concat(this.#kept, this.#keptBytes),
      skipped: this.#skipped,
      isCut: this.#isCut,
      unreadBytes: this.#unreadBytes,
      lines: this.#newlines + (isUnfinished || (this.#isInCutLine && !atEnd) ? 1 : 0),
      atEnd,
      keptToEnd: atEnd && !this.#hasLaterLine,
    };
  }

  /** Returns where the lines to keep start in this chunk. */
  #skip(chunk: Uint8Array): number {
    let at = 0;
    while (this.#skipped < this.#scan.skipLines) {
      const next = nextLineStart(chunk, at, this.#scan.unit);
      if (next === -1) return chunk.length;
      at = next;
      this.#skipped += 1;
      this.#newlines += 1;
    }
    return at;
  }

  #keep(chunk: Uint8Array, from: number): number {
    const { unit, maxBytes } = this.#scan;
    let at = from;
    while (at < chunk.length && !this.#isFull) {
      const next = nextLineStart(chunk, at, unit);
      const lineEnd = next === -1 ? chunk.length : next;
      const end = Math.min(lineEnd, at + maxBytes - this.#keptBytes);
      this.#keptBytes += end - at;
      if (next !== -1 && end === next) {
        this.#keptLines += 1;
        this.#newlines += 1;
      } else if (this.#isFull) {
        this.#isCut = true;
        this.#isInCutLine = true;
      }
      at = end;
    }
    // A copy, because streams may reuse their buffers.
    if (at > from) this.#kept.push(chunk.slice(from, at));
    return at;
  }

  #passCutLine(chunk: Uint8Array, from: number): number {
    const next = nextLineStart(chunk, from, this.#scan.unit);
    const end = next === -1 ? chunk.length : next;
    this.#unreadBytes += end - from;
    if (next !== -1) {
      this.#unreadBytes -= this.#scan.unit.width;
      this.#newlines += 1;
      this.#isInCutLine = false;
    }
    return end;
  }
}

function concat(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
