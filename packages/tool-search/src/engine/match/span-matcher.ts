import type { SearchKernel } from "../kernel/search-kernel.js";
import { type CandidateScan, installPrefilter } from "../prefilter/install-prefilter.js";
import { DFA_ROWS, LineDfa } from "../regex/line-dfa.js";
import { NfaSearch, type Span } from "../regex/nfa-search.js";
import type { CompiledPattern } from "./compile-pattern.js";
import { type OnLine, RESOLVED_PER_PULSE } from "./line-matcher.js";
import type { TextMatcher } from "./text-matcher.js";

const NEWLINE = 0x0a;

/**
 * Finds matches that may span lines, in one file at a time. The automaton first says whether there is any match left,
 * which for most files there is not; only then the simulation finds where it is.
 */
export class SpanMatcher implements TextMatcher {
  private readonly dfa: LineDfa;
  private readonly nfa: NfaSearch;
  private readonly candidates: CandidateScan | undefined;
  private spans: Span[] = [];
  private bytesRead = 0;
  private resolved = 0;

  constructor(
    private readonly kernel: SearchKernel,
    pattern: CompiledPattern,
    private readonly pulse: () => void,
  ) {
    this.dfa = new LineDfa(kernel, pattern.nfa, true);
    this.nfa = new NfaSearch(pattern.nfa, pulse);
    this.candidates = pattern.prefilter && installPrefilter(kernel, pattern.prefilter);
  }

  scan(from: number, end: number, onLine: OnLine): void {
    this.spans = [];
    this.bytesRead += end - from;
    if (end === from || (this.candidates && this.candidates(from, end) === 0)) return;
    let reported = from;
    for (let at = from; at <= end; ) {
      const span = this.mayMatch(at, from, end) ? this.find(at, from, end) : undefined;
      if (!span || this.isBehindLastLine(span, end)) return;
      this.spans.push(span);
      reported = this.reportLines(span, { reported, from }, onLine);
      at = span.end > span.start ? span.end : span.end + 1;
    }
  }

  span(from: number, end: number): Span | undefined {
    const touching = this.spans.find((span) => span.start <= end && (span.end > from || span.start >= from));
    return touching && { start: Math.max(touching.start, from), end: Math.min(touching.end, end) };
  }

  private isBehindLastLine(span: Span, end: number): boolean {
    return span.start === end && this.kernel.bytes[end - 1] === NEWLINE;
  }

  // All lines that the match touches; a line end inside the match belongs to the line it ends.
  private reportLines(
    span: Span,
    { reported, from }: { reported: number; from: number },
    onLine: OnLine,
  ): number {
    const { scan } = this.kernel;
    const last = span.end > span.start ? span.end - 1 : span.end;
    let at = Math.max(reported, scan.lineStart(span.start, from));
    while (at <= last) {
      const stop = scan.findByte(at, this.kernel.bytes.length, NEWLINE);
      onLine(at, stop);
      at = stop + 1;
    }
    return at;
  }

  private find(at: number, from: number, end: number): Span | undefined {
    return this.nfa.find({ bytes: this.kernel.bytes, from, to: end }, at);
  }

  private mayMatch(at: number, from: number, end: number): boolean {
    if (at > from || this.dfa.thrashing) return true;
    const { dfa, kernel } = this;
    let state = dfa.start;
    let place = at;
    for (;;) {
      place = kernel.scan.runDfa(place, end, state, dfa.rowBytes);
      state = kernel.scan.state.value;
      const reason = kernel.scan.reason.value;
      if (reason === -1) return dfa.matchesAtEnd(state);
      if (reason !== 0) return reason !== DFA_ROWS.dead * dfa.rowBytes;
      if ((++this.resolved & RESOLVED_PER_PULSE) === 0) this.pulse();
      const next = dfa.resolve(state, kernel.bytes[place] as number, this.bytesRead + place);
      if (next <= DFA_ROWS.quit * dfa.rowBytes) return next !== DFA_ROWS.dead * dfa.rowBytes;
      if (dfa.thrashing) return true;
      state = next;
      place++;
    }
  }
}
