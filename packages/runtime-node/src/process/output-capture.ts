import type { CapturedOutput } from "@haft/core/capabilities";
import { ErrorLines } from "./error-lines.js";

/**
 * Keeps the first and the last bytes of a stream, and the lines between them that report a failure. Counts the rest.
 * Memory is bounded.
 */
export class OutputCapture {
  readonly #limits: CaptureLimits;
  readonly #head: Buffer;
  readonly #tail: Buffer;
  readonly #errors: ErrorLines;
  #headLength = 0;
  /** Where the next byte of the tail goes. The ring is full once `#tailTotal` exceeds its size. */
  #tailEnd = 0;
  #tailTotal = 0;

  constructor(limits: CaptureLimits = { headBytes: 32 * 1024, tailBytes: 64 * 1024 }) {
    this.#limits = limits;
    this.#head = Buffer.allocUnsafe(limits.headBytes);
    this.#tail = Buffer.allocUnsafe(limits.tailBytes);
    this.#errors = new ErrorLines(limits.headBytes);
  }

  get totalBytes(): number {
    return this.#headLength + this.#tailTotal;
  }

  /** Returns whether the complete stream still fits after this many more bytes. */
  hasRoomFor(bytes: number): boolean {
    return this.totalBytes + bytes <= this.#limits.headBytes + this.#limits.tailBytes;
  }

  /** Returns the captured bytes. */
  kept(): readonly Buffer[] {
    return [this.#head.subarray(0, this.#headLength), this.#tailBytes()];
  }

  push(chunk: Buffer): void {
    this.#errors.push(chunk);
    const toHead = Math.min(chunk.length, this.#limits.headBytes - this.#headLength);
    chunk.copy(this.#head, this.#headLength, 0, toHead);
    this.#headLength += toHead;
    this.#pushTail(chunk.subarray(toHead));
  }

  result(): CapturedOutput {
    const head = this.#head.subarray(0, this.#headLength);
    const { totalBytes } = this;
    if (this.#tailTotal <= this.#limits.tailBytes)
      return { text: decode(Buffer.concat([head, this.#tailBytes()])), totalBytes, omittedBytes: 0 };
    const start = head.subarray(0, wholeEnd(head));
    const whole = this.#tailBytes();
    const end = whole.subarray(wholeStart(whole));
    const omittedBytes = totalBytes - start.length - end.length;
    const errors = this.#errors.before(totalBytes - end.length);
    const notice = `\n[… ${omittedBytes} bytes left out${errorsNotice(errors)} …]\n`;
    return { text: decode(start) + notice + decode(end), totalBytes, omittedBytes };
  }

  #pushTail(chunk: Buffer): void {
    this.#tailTotal += chunk.length;
    const { tailBytes } = this.#limits;
    const kept = chunk.subarray(Math.max(0, chunk.length - tailBytes));
    const first = Math.min(kept.length, tailBytes - this.#tailEnd);
    kept.copy(this.#tail, this.#tailEnd, 0, first);
    kept.copy(this.#tail, 0, first);
    this.#tailEnd = (this.#tailEnd + kept.length) % tailBytes;
  }

  #tailBytes(): Buffer {
    if (this.#tailTotal < this.#limits.tailBytes) return this.#tail.subarray(0, this.#tailTotal);
    return Buffer.concat([this.#tail.subarray(this.#tailEnd), this.#tail.subarray(0, this.#tailEnd)]);
  }
}

interface CaptureLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
}

function errorsNotice(errors: readonly string[]): string {
  return errors.length === 0 ? "" : `; among them:\n${errors.join("\n")}\n`;
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Returns the end of the last complete character. */
function wholeEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Returns the start of the first complete character. */
function wholeStart(bytes: Buffer): number {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start] as number)) start += 1;
  return start;
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

function characterLength(lead: number): number {
  if (lead >= 0b1111_0000) return 4;
  if (lead >= 0b1110_0000) return 3;
  return lead >= 0b1100_0000 ? 2 : 1;
}
