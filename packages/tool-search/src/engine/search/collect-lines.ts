import type { SearchKernel } from "../kernel/search-kernel.js";
import type { TextMatcher } from "../match/text-matcher.js";
import type { FileMatches, FoundLine, SearchOutcome } from "./search-outcome.js";
import type { LineContext } from "./search-request.js";
import { type BatchedFile, TextBatch } from "./text-batch.js";

/** Which matching lines of a file are wanted. */
export interface WantedLines {
  readonly path: string;
  readonly skip: number;
  readonly take: number;
}

/** What was collected before time ran out, in the order asked for. */
export interface CollectedLines {
  readonly files: readonly FileMatches[];
  /** Set when a file that has wanted lines took too long. */
  readonly incomplete?: SearchOutcome["incomplete"];
}

export interface Collection {
  readonly kernel: SearchKernel;
  readonly matcher: TextMatcher;
  readonly multiline: boolean;
  readonly keepBinary: boolean;
  readonly context: LineContext;
}

/** Searches one file again, now that it is known to be wanted, and keeps its lines with their surroundings. */
export function collectLines(collection: Collection, wanted: WantedLines, length: number): FileMatches {
  const { kernel, matcher, multiline, keepBinary } = collection;
  const batch = new TextBatch(kernel, keepBinary);
  batch.add(wanted.path, length);
  batch.dropBinary();
  const file = batch.files[0];
  if (!file) return { path: wanted.path, total: 0, lines: [] };
  const ends: number[] = [];
  matcher.scan(file.start, multiline ? file.textEnd : file.end, (_, end) => void ends.push(end));
  const chosen = ends.slice(wanted.skip, wanted.skip + wanted.take);
  return {
    path: wanted.path,
    total: ends.length,
    lines: new LineCollector(collection, file).collect(chosen),
  };
}

class LineCollector {
  private readonly lines: FoundLine[] = [];
  /** The start of the line last counted to, and its number. */
  private at: number;
  private line = 1;
  private nextContext: number;

  constructor(
    private readonly collection: Collection,
    private readonly file: BatchedFile,
  ) {
    this.at = file.start;
    this.nextContext = file.start;
  }

  // After-lines of one match end where the next match begins.
  collect(ends: readonly number[]): FoundLine[] {
    for (const [index, end] of ends.entries()) {
      const start = this.collection.kernel.scan.lineStart(end, this.file.start);
      this.addBefore(start);
      this.add(start, end, true);
      this.addAfter(end, ends[index + 1] ?? Number.POSITIVE_INFINITY);
    }
    return this.lines;
  }

  private addBefore(start: number): void {
    const starts: number[] = [];
    let at = start;
    while (starts.length < this.collection.context.before && at > this.nextContext) {
      at = this.collection.kernel.scan.lineStart(at - 1, this.file.start);
      starts.unshift(at);
    }
    for (const [index, from] of starts.entries()) this.add(from, (starts[index + 1] ?? start) - 1, false);
  }

  private addAfter(end: number, nextEnd: number): void {
    let from = end + 1;
    for (let count = 0; count < this.collection.context.after && from < this.file.end; count++) {
      const stop = this.collection.kernel.scan.findByte(from, this.file.end, 0x0a);
      if (stop >= nextEnd) return;
      this.add(from, stop, false);
      from = stop + 1;
    }
  }

  private add(start: number, end: number, isMatch: boolean): void {
    const { kernel } = this.collection;
    this.line += kernel.scan.countByte(this.at, start, 0x0a);
    this.at = start;
    this.nextContext = end + 1;
    const text = decode(kernel.bytes, start, end);
    const match = isMatch ? this.locate(start, end, text) : undefined;
    this.lines.push({ line: this.line, text, ...(match && { match }) });
  }

  private locate(start: number, end: number, text: string): FoundLine["match"] {
    const { kernel, matcher } = this.collection;
    const span = matcher.span(start, end) ?? { start, end: start };
    const before = decode(kernel.bytes, start, span.start).length;
    const inside = decode(kernel.bytes, span.start, span.end).length;
    return { start: Math.min(before, text.length), end: Math.min(before + inside, text.length) };
  }
}

// A mark inside a text is part of its line; the one before a text was taken off with its encoding.
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

// A carriage return before the newline is part of the line's end, not of what people read.
function decode(bytes: Uint8Array, from: number, to: number): string {
  const end = to > from && bytes[to - 1] === 0x0d && bytes[to] === 0x0a ? to - 1 : to;
  return DECODER.decode(bytes.subarray(from, end));
}
