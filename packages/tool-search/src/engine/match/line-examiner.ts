import type { Steps } from "@haft/text/regex";
import { NfaSearch, type Span } from "@haft/text/regex";
import { DFA_ROWS, LineDfa } from "../dfa/line-dfa.js";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { CompiledPattern } from "./compile-pattern.js";
import { simulate } from "./simulate.js";

/** Receives a match: a position in its first line, the newline that ends its last line, and its span if known. */
export type OnMatch = (at: number, end: number, span?: Span) => void;

/** States looked at per step. Building one state of a DFA may look at all states of the pattern. */
export const WORK_PER_STEP = 16_384;

/** Decides which lines match, with a DFA where one can, otherwise by simulation. Builds both on demand. */
export class LineExaminer {
  /** The bytes of all texts before the current one. */
  bytesRead = 0;
  private builtDfa: LineDfa | undefined;
  private builtNfa: NfaSearch | undefined;
  private work = 0;

  constructor(
    private readonly kernel: SearchKernel,
    private readonly pattern: CompiledPattern,
    private readonly pulse: () => void,
  ) {}

  /**
   * Examines the lines of the first `count` candidates in the kernel's OUT and moves those that match to the front.
   * No line begins before `low`. Returns how many match.
   */
  *examineCandidates(count: number, low: number): Steps<number> {
    const { dfa, kernel } = this;
    const { scan } = kernel;
    startJudging(scan, low);
    while (scan.cursor.value < count) {
      if (!dfa.thrashing) scan.judgeLines(count, dfa.start, dfa.rowBytes);
      if (scan.cursor.value === count) break;
      const next = dfa.thrashing ? DFA_ROWS.quit * dfa.rowBytes : this.resolve(scan.resume.value);
      if (next > DFA_ROWS.quit * dfa.rowBytes) {
        scan.state.value = next;
        scan.resume.value++;
      } else if (next === DFA_ROWS.quit * dfa.rowBytes) {
        const at = this.out(scan.cursor.value * 2);
        const end = this.out(scan.cursor.value * 2 + 1);
        const found = yield* this.simulate(scan.lineStart(at, scan.low.value), end);
        scan.settleLine(found === undefined ? 0 : 1);
      } else scan.settleLine(next === DFA_ROWS.match * dfa.rowBytes ? 1 : 0);
      if (!this.isDue()) continue;
      this.pulse();
      yield;
    }
    return scan.kept.value;
  }

  /** The bytes of lines examined by `examineCandidates` last. */
  get examinedBytes(): number {
    return this.kernel.scan.examined.value;
  }

  /** Examines every line of a text. */
  *examineAll(from: number, end: number, onMatch: OnMatch): Steps {
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
      for (let index = 0; index < count; index++) onMatch(this.out(index * 2), this.out(index * 2 + 1));
      if (reason < 2 || this.isDue()) {
        this.pulse();
        yield;
      }
      if (reason < 2) continue;
      const next = this.resolve(at);
      if (next > DFA_ROWS.quit * dfa.rowBytes) {
        state = next;
        at++;
        continue;
      }
      const stop = scan.findByte(at, end, 0x0a);
      if (next === DFA_ROWS.match * dfa.rowBytes) onMatch(at, stop);
      else if (next === DFA_ROWS.quit * dfa.rowBytes)
        if (yield* this.simulate(scan.lineStart(at, from), stop)) onMatch(at, stop);
      at = stop + 1;
      state = dfa.start;
    }
    if (at < end) yield* this.simulateAll(scan.lineStart(at, from), end, onMatch);
  }

  /** Returns the leftmost match in one line; with `anyEnd`, one that may end too early. */
  simulate(from: number, to: number, anyEnd = true): Steps<Span | undefined> {
    const { pulse, kernel } = this;
    return simulate(this.nfa, { text: { bytes: kernel.bytes, from, to }, from, anyEnd, pulse });
  }

  private get dfa(): LineDfa {
    this.builtDfa ??= new LineDfa(this.kernel, this.pattern.nfa);
    return this.builtDfa;
  }

  private get nfa(): NfaSearch {
    this.builtNfa ??= new NfaSearch(this.pattern.nfa);
    return this.builtNfa;
  }

  private *simulateAll(from: number, end: number, onMatch: OnMatch): Steps {
    const { scan } = this.kernel;
    for (let at = from; at < end; ) {
      const stop = scan.findByte(at, end, 0x0a);
      if (yield* this.simulate(at, stop)) onMatch(at, stop);
      at = stop + 1;
    }
  }

  private isDue(): boolean {
    if (this.work < WORK_PER_STEP) return false;
    this.work = 0;
    return true;
  }

  // Building states is the slow part of running a DFA, so it is counted.
  private resolve(at: number): number {
    this.work += this.pattern.nfa.kinds.length;
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

function startJudging(
  { cursor, kept, resume, low: lowest, examined }: SearchKernel["scan"],
  low: number,
): void {
  for (const each of [cursor, kept, resume, examined]) each.value = 0;
  lowest.value = low;
}
