import { ASSERT, type ByteNfa, isWordByte, type Look, MATCH, SPLIT } from "@haft/text/regex";

/** States reached without reading: those that read, and those that need the next byte to decide a condition. */
export interface Closure {
  readonly states: readonly number[];
  readonly matches: boolean;
}

/** The bytes before and after a position. */
export interface Context {
  readonly before: "start" | number;
  /** The next byte, or -1. */
  readonly after: number;
  /** Whether the text or line ends here. */
  readonly ends: boolean;
}

/** Follows the automaton's empty moves for the DFA, where order does not matter and sets are sorted. */
export class ClosureBuilder {
  private readonly seen: Uint32Array;
  private round = 0;
  private readonly needsWord: boolean;
  private readonly needsLine: boolean;
  private readonly restart: Closure;

  constructor(
    private readonly nfa: ByteNfa,
    private readonly multiline: boolean,
  ) {
    this.seen = new Uint32Array(nfa.kinds.length);
    const looks = nfa.looks.filter((look) => look !== undefined);
    this.needsWord = looks.some((look) => look.includes("word"));
    this.needsLine = multiline && looks.includes("line-start");
    this.restart = this.start(false);
  }

  /** Returns the states before the first byte. Conditions on the start of the text can only hold here. */
  start(atStart: boolean): Closure {
    return this.collect([this.nfa.start], (look) => this.keepWaiting(look, atStart));
  }

  /**
   * Returns the states after a byte: the given targets, and the start of the pattern, since a match may start
   * anywhere.
   */
  follow(targets: readonly number[]): Closure {
    const closure = this.collect(targets, (look) => this.keepWaiting(look, false));
    const states = [...closure.states];
    for (const state of this.restart.states) if (this.seen[state] !== this.round) states.push(state);
    states.sort((a, b) => a - b);
    return { states, matches: closure.matches || this.restart.matches };
  }

  /** Decides the pending conditions, now that both sides are known. */
  settle(closure: Closure, context: Context): Closure {
    if (!closure.states.some((state) => this.nfa.kinds[state] === ASSERT)) return closure;
    return this.collect(closure.states, (look) => (this.holds(look, context) ? "pass" : "drop"));
  }

  /** Returns as much of the byte just read as later conditions need. */
  before(byte: number): { before: number; key: string } {
    if (this.needsWord && isWordByte(byte)) return { before: 0x61, key: "w" };
    return this.needsLine && byte === 0x0a ? { before: 0x0a, key: "n" } : { before: 0x20, key: " " };
  }

  private keepWaiting(look: Look, atStart: boolean): "wait" | "drop" {
    if (atStart) return "wait";
    return look === "text-start" || (look === "line-start" && !this.multiline) ? "drop" : "wait";
  }

  private collect(from: readonly number[], decide: (look: Look) => "pass" | "wait" | "drop"): Closure {
    const { kinds, edges, looks } = this.nfa;
    const round = ++this.round;
    const stack = [...from];
    const states: number[] = [];
    let matches = false;
    while (stack.length > 0) {
      const state = stack.pop() as number;
      if (this.seen[state] === round) continue;
      this.seen[state] = round;
      const kind = kinds[state];
      if (kind === MATCH) matches = true;
      else if (kind === SPLIT) stack.push(...(edges[state] as readonly number[]));
      else if (kind === ASSERT) {
        const verdict = decide(looks[state] as Look);
        if (verdict === "pass") stack.push((edges[state] as readonly number[])[0] as number);
        else if (verdict === "wait") states.push(state);
      } else states.push(state);
    }
    return { states: states.sort((a, b) => a - b), matches };
  }

  private holds(look: Look, { before, after, ends }: Context): boolean {
    if (look === "text-start") return before === "start";
    if (look === "line-start") return before === "start" || before === 0x0a;
    if (look === "line-end") return ends;
    if (look === "text-end") return after === -1 || (ends && !this.multiline);
    const wordBefore = before !== "start" && isWordByte(before);
    const wordAfter = after >= 0 && isWordByte(after);
    if (look === "word-start") return !wordBefore && wordAfter;
    if (look === "word-end") return wordBefore && !wordAfter;
    return (wordBefore !== wordAfter) === (look === "word" || look === "ascii-word");
  }
}
