import type { Span, Steps } from "@haft/text/regex";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { TextMatcher } from "../match/text-matcher.js";
import type { FileMatches, FoundLine, SearchOutcome } from "./search-outcome.js";
import type { LineContext } from "./search-request.js";
import { type BatchedFile, TextBatch } from "./text-batch.js";

/** The wanted matches of a file. */
export interface WantedLines {
  readonly path: string;
  readonly skip: number;
  readonly take: number;
}

/** The lines collected before time ran out, in the requested order. */
export interface CollectedLines {
  readonly files: readonly FileMatches[];
  /** Set if a file with wanted lines took too long. */
  readonly incomplete?: SearchOutcome["incomplete"];
}

export interface Collection {
  readonly kernel: SearchKernel;
  readonly matcher: TextMatcher;
  readonly multiline: boolean;
  readonly keepBinary: boolean;
  readonly context: LineContext;
}

/** Searches one wanted file again and collects its lines with context. */
export function* collectLines(
  collection: Collection,
  wanted: WantedLines,
  length: number,
): Steps<FileMatches> {
  const { kernel, matcher, multiline, keepBinary } = collection;
  const batch = new TextBatch(kernel, keepBinary);
  batch.add(wanted.path, length);
  batch.dropBinary();
  const file = batch.files[0];
  if (!file) return { path: wanted.path, total: 0, lines: [] };
  const chosen: FoundSpan[] = [];
  let total = 0;
  yield* matcher.scan(file.start, multiline ? file.textEnd : file.end, (at, end, span) => {
    if (total >= wanted.skip && total < wanted.skip + wanted.take)
      chosen.push({ start: kernel.scan.lineStart(at, file.start), end, span });
    total++;
  });
  const lines = yield* new LineCollector(collection, file).collect(chosen);
  return { path: wanted.path, total, lines };
}

/** The lines of a match, from the start of the first to the newline of the last, and its position in them. */
interface FoundSpan {
  readonly start: number;
  readonly end: number;
  readonly span: Span | undefined;
}

class LineCollector {
  private readonly lines: FoundLine[] = [];
  /** The start of the last line counted, and its number. */
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

  // The lines after one match end where the next match begins.
  *collect(spans: readonly FoundSpan[]): Steps<FoundLine[]> {
    for (const [index, found] of spans.entries()) {
      this.addBefore(found.start);
      this.add(found.start, found.end, yield* this.spanOf(found));
      this.addAfter(found.end, spans[index + 1]?.start ?? Number.POSITIVE_INFINITY);
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
    for (const [index, from] of starts.entries()) this.add(from, (starts[index + 1] ?? start) - 1);
  }

  private addAfter(end: number, nextStart: number): void {
    let from = end + 1;
    for (let count = 0; count < this.collection.context.after && from < this.file.end; count++) {
      const stop = this.collection.kernel.scan.findByte(from, this.file.end, 0x0a);
      if (from >= nextStart) return;
      this.add(from, stop);
      from = stop + 1;
    }
  }

  private add(start: number, end: number, span?: Span): void {
    const { kernel } = this.collection;
    // The second of two matches may begin in the last line of the first.
    if (start < this.at) this.line -= kernel.scan.countByte(start, this.at, 0x0a);
    else this.line += kernel.scan.countByte(this.at, start, 0x0a);
    this.at = start;
    this.nextContext = end + 1;
    const text = decode(kernel.bytes, start, end);
    const match = span && this.locate(start, span, text);
    this.lines.push({ line: this.line, text, ...(match && { match }) });
  }

  private *spanOf({ start, end, span }: FoundSpan): Steps<Span> {
    if (span) return span;
    const found = this.collection.matcher.span?.(start, end);
    return (found && (yield* found)) ?? { start, end: start };
  }

  private locate(start: number, span: Span, text: string): FoundLine["match"] {
    const { kernel } = this.collection;
    const before = decode(kernel.bytes, start, span.start).length;
    const inside = decode(kernel.bytes, span.start, span.end).length;
    return { start: Math.min(before, text.length), end: Math.min(before + inside, text.length) };
  }
}

// A byte order mark inside a text is part of its line; the one before a text was removed with its encoding.
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

// A carriage return before the newline belongs to the line end.
function decode(bytes: Uint8Array, from: number, to: number): string {
  const end = to > from && bytes[to - 1] === 0x0d && bytes[to] === 0x0a ? to - 1 : to;
  const text = DECODER.decode(bytes.subarray(from, end));
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}
