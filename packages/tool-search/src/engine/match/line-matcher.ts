import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import { isExact, type LiteralFilter } from "../prefilter/choose-prefilter.js";
import { type CandidateScan, installPrefilter } from "../prefilter/install-prefilter.js";
import { DFA_ROWS, LineDfa } from "../regex/line-dfa.js";
import { NfaSearch, type Span } from "../regex/nfa-search.js";
import type { CompiledPattern } from "./compile-pattern.js";

/** A matching line: a place inside it, and the place of its newline. */
export type OnLine = (at: number, end: number) => void;

/** Less one. A state of a large pattern takes milliseconds to build. */
export const RESOLVED_PER_PULSE = 0xf;

/**
 * Finds the lines of a text in the kernel's memory that match a pattern. The text ends in a newline. The prefilter
 * finds candidates, the automaton examines only those; where nearly every line is a candidate, the automaton reads
 * everything instead.
 */
export class LineMatcher {
  private builtDfa: LineDfa | undefined;
  private builtNfa: NfaSearch | undefined;
  private candidates: CandidateScan | undefined;
  /** What is found is a match: then neither automaton is ever built. */
  private readonly exact: LiteralFilter | undefined;
  private bytesRead = 0;
  private bytesExamined = 0;
  private resolved = 0;

  constructor(
    private readonly kernel: SearchKernel,
    private readonly pattern: CompiledPattern,
    private readonly pulse: () => void = () => {},
  ) {
    const { prefilter } = pattern;
    this.candidates = prefilter && installPrefilter(kernel, prefilter);
    this.exact = isExact(prefilter) ? prefilter : undefined;
  }

  scan(from: number, end: number, onLine: OnLine): void {
    if (!this.candidates) this.examineAll(from, end, onLine);
    else this.scanCandidates(this.candidates, { from, end }, onLine);
    this.bytesRead += end - from;
  }

  /** The leftmost match in one line. */
  span(from: number, end: number): Span | undefined {
    const { exact, candidates } = this;
    if (!exact || !candidates) return this.nfa.find({ bytes: this.kernel.bytes, from, to: end });
    if (candidates(from, end) === 0) return undefined;
    const start = this.out(0);
    return { start, end: start + exact.run.length };
  }

  private get dfa(): LineDfa {
    this.builtDfa ??= new LineDfa(this.kernel, this.pattern.nfa);
    return this.builtDfa;
  }

  private get nfa(): NfaSearch {
    this.builtNfa ??= new NfaSearch(this.pattern.nfa, this.pulse);
    return this.builtNfa;
  }

  private scanCandidates(
    candidates: CandidateScan,
    text: { from: number; end: number },
    onLine: OnLine,
  ): void {
    const { scan } = this.kernel;
    let low = text.from;
    let at = text.from;
    while (at < text.end) {
      const count = candidates(at, text.end);
      at = scan.resume.value; // before anything else runs in the kernel
      for (let index = 0; index < count; index++) {
        const place = this.out(index * 2);
        const stop = this.out(index * 2 + 1);
        if (this.exact || this.examineLine(scan.lineStart(place, low), stop)) onLine(place, stop);
        low = stop + 1;
      }
    }
    this.reconsider();
  }

  // After a while of seeing mostly candidates, looking for them is wasted.
  private reconsider(): void {
    if (this.bytesRead > 131_072 && this.bytesExamined > this.bytesRead * 0.5) this.candidates = undefined;
  }

  // The automaton writes its answer over the first candidate, which has been read by then.
  private examineLine(from: number, end: number): boolean {
    this.bytesExamined += end - from;
    const { dfa } = this;
    let at = from;
    let state = dfa.start;
    while (!dfa.thrashing) {
      if (this.kernel.scan.scanDfa(at, end + 1, state, dfa.start, dfa.rowBytes, 1) > 0) return true;
      if (this.kernel.scan.reason.value === 0) return false;
      at = this.kernel.scan.resume.value;
      const next = this.resolve(at);
      if (next === DFA_ROWS.match * dfa.rowBytes) return true;
      if (next === DFA_ROWS.dead * dfa.rowBytes) return false;
      if (next === DFA_ROWS.quit * dfa.rowBytes) break;
      state = next;
      at++;
    }
    return this.nfa.isMatch({ bytes: this.kernel.bytes, from, to: end });
  }

  private examineAll(from: number, end: number, onLine: OnLine): void {
    const { dfa, kernel } = this;
    const { scan } = kernel;
    let at = from;
    let state = dfa.start;
    while (at < end) {
      if (dfa.thrashing) break;
      const count = scan.scanDfa(at, end, state, dfa.start, dfa.rowBytes, KERNEL_LAYOUT.outCapacity);
      at = scan.resume.value;
      state = scan.state.value;
      const reason = scan.reason.value;
      for (let index = 0; index < count; index++) onLine(this.out(index * 2), this.out(index * 2 + 1));
      if (reason < 2) continue;
      const next = this.resolve(at);
      if (next > DFA_ROWS.quit * dfa.rowBytes) {
        state = next;
        at++;
        continue;
      }
      const stop = scan.findByte(at, end, 0x0a);
      if (next !== DFA_ROWS.dead * dfa.rowBytes && this.settleLine(next, scan.lineStart(at, from), stop))
        onLine(at, stop);
      at = stop + 1;
      state = dfa.start;
    }
    if (at < end) this.simulateAll(scan.lineStart(at, from), end, onLine);
  }

  private settleLine(row: number, from: number, to: number): boolean {
    return (
      row === DFA_ROWS.match * this.dfa.rowBytes || this.nfa.isMatch({ bytes: this.kernel.bytes, from, to })
    );
  }

  private simulateAll(from: number, end: number, onLine: OnLine): void {
    const { bytes, scan } = this.kernel;
    for (let at = from; at < end; ) {
      const stop = scan.findByte(at, end, 0x0a);
      if (this.nfa.isMatch({ bytes, from: at, to: stop })) onLine(at, stop);
      at = stop + 1;
    }
  }

  // Building states is the slow part, so this is where the clock is looked at.
  private resolve(at: number): number {
    if ((++this.resolved & RESOLVED_PER_PULSE) === 0) this.pulse();
    return this.dfa.resolve(
      this.kernel.scan.state.value,
      this.kernel.bytes[at] as number,
      this.bytesRead + at,
    );
  }

  private out(index: number): number {
    return this.kernel.words[KERNEL_LAYOUT.out / 4 + index] as number;
  }
}
