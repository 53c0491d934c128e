import type { Span, Steps } from "@haft/text/regex";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import { isExact, type LiteralFilter } from "../prefilter/choose-prefilter.js";
import { type CandidateScan, installPrefilter } from "../prefilter/install-prefilter.js";
import type { CompiledPattern } from "./compile-pattern.js";
import { LineExaminer, type OnMatch } from "./line-examiner.js";

/** The kernel reads about this much of a text per step. */
export const PIECE_BYTES = 4 * 1024 * 1024;

/**
 * Finds the matching lines of a text in the kernel's memory. The text ends in a newline. The prefilter finds
 * candidates, and the automaton examines only those. If almost every line is a candidate, the automaton reads
 * everything instead.
 */
export class LineMatcher {
  private candidates: CandidateScan | undefined;
  /** Set if every candidate is a match: then neither automaton is ever built. */
  private readonly exact: LiteralFilter | undefined;
  private bytesExamined = 0;
  private readonly examiner: LineExaminer;

  constructor(
    private readonly kernel: SearchKernel,
    pattern: CompiledPattern,
    private readonly pulse: () => void = () => {},
  ) {
    this.examiner = new LineExaminer(kernel, pattern, pulse);
    const { prefilter } = pattern;
    this.candidates = prefilter && installPrefilter(kernel, prefilter);
    this.exact = isExact(prefilter) ? prefilter : undefined;
  }

  *scan(from: number, end: number, onMatch: OnMatch): Steps {
    for (let at = from; at < end; ) {
      const stop = this.pieceEnd(at, end);
      if (!this.candidates) yield* this.examiner.examineAll(at, stop, onMatch);
      else yield* this.scanCandidates(this.candidates, { from: at, end: stop }, onMatch);
      at = stop;
    }
    this.examiner.bytesRead += end - from;
  }

  /** Returns the leftmost match in one line. */
  *span(from: number, end: number): Steps<Span | undefined> {
    const { exact, candidates } = this;
    if (!exact || !candidates) return yield* this.examiner.simulate(from, end, false);
    if (candidates(from, end) === 0) return undefined;
    const start = this.out(0);
    return { start, end: start + exact.run.length };
  }

  private pieceEnd(from: number, end: number): number {
    const least = from + PIECE_BYTES;
    return least >= end ? end : Math.min(end, this.kernel.scan.findByte(least, end, 0x0a) + 1);
  }

  private *scanCandidates(
    candidates: CandidateScan,
    text: { from: number; end: number },
    onMatch: OnMatch,
  ): Steps {
    const { scan } = this.kernel;
    let low = text.from;
    let at = text.from;
    while (at < text.end) {
      const count = candidates(at, text.end);
      at = scan.resume.value; // before anything else runs in the kernel
      const last = count === 0 ? low - 1 : this.out(count * 2 - 1);
      const found = this.exact || count === 0 ? count : yield* this.examine(count, low);
      for (let index = 0; index < found; index++) onMatch(this.out(index * 2), this.out(index * 2 + 1));
      low = last + 1;
      this.pulse();
      yield;
    }
    this.reconsider();
  }

  private *examine(count: number, low: number): Steps<number> {
    const found = yield* this.examiner.examineCandidates(count, low);
    this.bytesExamined += this.examiner.examinedBytes;
    return found;
  }

  // If almost all lines were candidates so far, stop looking for candidates.
  private reconsider(): void {
    const { bytesRead } = this.examiner;
    if (bytesRead > 131_072 && this.bytesExamined > bytesRead * 0.5) this.candidates = undefined;
  }

  private out(index: number): number {
    return this.kernel.words[KERNEL_LAYOUT.out / 4 + index] as number;
  }
}
