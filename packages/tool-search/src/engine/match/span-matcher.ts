import type { Steps } from "@haft/text/regex";
import { MatchCursor, NfaSearch, type Span } from "@haft/text/regex";
import { DFA_ROWS, LineDfa } from "../dfa/line-dfa.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import { type CandidateScan, installPrefilter } from "../prefilter/install-prefilter.js";
import type { CompiledPattern } from "./compile-pattern.js";
import { type OnMatch, WORK_PER_STEP } from "./line-examiner.js";
import { PIECE_BYTES } from "./line-matcher.js";
import { simulate } from "./simulate.js";
import type { TextMatcher } from "./text-matcher.js";

const NEWLINE = 0x0a;

/**
 * Finds matches that may span lines, in one file at a time. The automaton first decides whether any match is left,
 * which is false for most files. Only then the simulation locates it.
 */
export class SpanMatcher implements TextMatcher {
  private readonly dfa: LineDfa;
  private readonly nfa: NfaSearch;
  private readonly candidates: CandidateScan | undefined;
  private bytesRead = 0;
  private work = 0;
  private readonly crlf: boolean;
  private readonly workPerState: number;

  constructor(
    private readonly kernel: SearchKernel,
    pattern: CompiledPattern,
    private readonly pulse: () => void,
  ) {
    this.crlf = pattern.nfa.crlf;
    this.dfa = new LineDfa(kernel, pattern.nfa, true);
    this.nfa = new NfaSearch(pattern.nfa);
    this.workPerState = pattern.nfa.kinds.length;
    this.candidates = pattern.prefilter && installPrefilter(kernel, pattern.prefilter);
  }

  *scan(from: number, end: number, onMatch: OnMatch): Steps {
    this.bytesRead += end - from;
    if (end === from || (this.candidates && this.candidates(from, end) === 0)) return;
    const text = { bytes: this.kernel.bytes, from, to: end };
    const cursor = new MatchCursor(text, this.crlf);
    while (cursor.at <= end) {
      const span = (yield* this.mayMatch(cursor.at, from, end))
        ? yield* simulate(this.nfa, { text, from: cursor.at, anyEnd: false, pulse: this.pulse })
        : undefined;
      if (!span || this.isBehindLastLine(span, end)) return;
      if (cursor.take(span)) this.report(span, onMatch);
    }
  }

  private isBehindLastLine(span: Span, end: number): boolean {
    return span.start === end && this.kernel.bytes[end - 1] === NEWLINE;
  }

  // A line end inside the match belongs to the line it ends.
  private report(span: Span, onMatch: OnMatch): void {
    const last = span.end > span.start ? span.end - 1 : span.end;
    onMatch(span.start, this.kernel.scan.findByte(last, this.kernel.bytes.length, NEWLINE), span);
  }

  private *mayMatch(at: number, from: number, end: number): Steps<boolean> {
    if (at > from || this.dfa.thrashing) return true;
    const { dfa, kernel } = this;
    let state = dfa.start;
    let place = at;
    for (;;) {
      const stop = Math.min(end, place + PIECE_BYTES);
      place = kernel.scan.runDfa(place, stop, state, dfa.rowBytes);
      state = kernel.scan.state.value;
      const reason = kernel.scan.reason.value;
      if (reason === -1 && stop === end) return dfa.matchesAtEnd(state);
      if (reason === -1) {
        this.pulse();
        yield;
        continue;
      }
      if (reason !== 0) return reason !== DFA_ROWS.dead * dfa.rowBytes;
      const next = dfa.resolve(state, kernel.bytes[place] as number, this.bytesRead + place);
      if (next <= DFA_ROWS.quit * dfa.rowBytes) return next !== DFA_ROWS.dead * dfa.rowBytes;
      if (dfa.thrashing) return true;
      state = next;
      place++;
      this.work += this.workPerState;
      if (this.work < WORK_PER_STEP) continue;
      this.work = 0;
      this.pulse();
      yield;
    }
  }
}
