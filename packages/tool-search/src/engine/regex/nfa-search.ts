import { ASSERT, BYTES, type ByteNfa, isWordByte, MATCH, stepByte } from "./byte-nfa.js";
import { rangesContain } from "./char-ranges.js";
import type { Look } from "./regex-node.js";
import { decodeAt, decodeBefore, isInsideCharacter, MALFORMED, type TextSlice } from "./text-slice.js";
import { perlClass } from "./unicode-class.js";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Simulates the automaton directly: linear in the text times the pattern, no memory beyond one entry per state.
 * It finds the leftmost match with the pattern's own preferences, which a DFA that only says yes or no cannot,
 * and it stands in where a DFA would need too many states.
 */
export class NfaSearch {
  private current: ThreadList;
  private next: ThreadList;
  private readonly stack: number[] = [];
  private words: readonly number[] | undefined;
  /** States looked at since the last pulse: with a large pattern each byte may take thousands. */
  private work = 0;

  constructor(
    private readonly nfa: ByteNfa,
    /** Called every millisecond or so; may throw to stop. */
    private readonly pulse: () => void = () => {},
  ) {
    this.current = new ThreadList(nfa.kinds.length);
    this.next = new ThreadList(nfa.kinds.length);
  }

  isMatch(text: TextSlice): boolean {
    return this.find(text, text.from, true) !== undefined;
  }

  /** The leftmost match that starts at or after `from`; with `anyEnd` its end is the first that proves it. */
  find(text: TextSlice, from = text.from, anyEnd = false): Span | undefined {
    let found: Span | undefined;
    this.current.clear();
    for (let at = from; at <= text.to; at++) {
      if (this.work > WORK_PER_PULSE) this.pause();
      if (!found) this.follow(this.current, { state: this.nfa.start, start: at }, { text, at });
      this.next.clear();
      found = this.step(text, at) ?? found;
      if (found && anyEnd) return found;
      [this.current, this.next] = [this.next, this.current];
      if (found && this.current.size === 0) return found;
    }
    return found;
  }

  private pause(): void {
    this.work = 0;
    this.pulse();
  }

  // Threads are in order of preference: one that matches ends all that come after it.
  private step(text: TextSlice, at: number): Span | undefined {
    const byte = at < text.to ? (text.bytes[at] as number) : -1;
    const place = { text, at: at + 1 };
    for (let index = 0; index < this.current.size; index++) {
      const state = this.current.states[index] as number;
      const start = this.current.starts[index] as number;
      if (this.nfa.kinds[state] === MATCH) return { start, end: at };
      if (byte < 0) continue;
      const target = stepByte(this.nfa.edges[state] as readonly number[], byte);
      if (target >= 0) this.follow(this.next, { state: target, start }, place);
    }
    return undefined;
  }

  private follow(list: ThreadList, thread: { state: number; start: number }, place: Place): void {
    const { kinds, edges, looks } = this.nfa;
    const stack = this.stack;
    stack.push(thread.state);
    while (stack.length > 0) {
      this.work++;
      const state = stack.pop() as number;
      if (!list.visit(state)) continue;
      const kind = kinds[state];
      const targets = edges[state] as readonly number[];
      if (kind === BYTES || kind === MATCH) list.push(state, thread.start);
      else if (kind === ASSERT) {
        if (this.holds(looks[state] as Look, place)) stack.push(targets[0] as number);
      } else for (let index = targets.length - 1; index >= 0; index--) stack.push(targets[index] as number);
    }
  }

  private holds(look: Look, { text, at }: Place): boolean {
    const { bytes, from, to } = text;
    if (look === "text-start") return at === from;
    if (look === "text-end") return at === to;
    if (look === "line-start") return at === from || bytes[at - 1] === 0x0a;
    if (look === "line-end") return at === to || bytes[at] === 0x0a;
    return look.startsWith("ascii") ? asciiWordLook(look, text, at) : this.unicodeWordLook(look, text, at);
  }

  private unicodeWordLook(look: Look, text: TextSlice, at: number): boolean {
    const left = at > text.from ? decodeBefore(text, at) : OUTSIDE;
    const right = at < text.to ? decodeAt(text, at) : OUTSIDE;
    // Inside a character there is no position between two characters, so not even a `\B`.
    if (look === "not-word" && left === MALFORMED && isInsideCharacter(text, at)) return false;
    return wordLook(look, this.isWord(left), this.isWord(right));
  }

  private isWord(point: number): boolean {
    if (point < 0x80) return point >= 0 && isWordByte(point);
    this.words ??= perlClass("w", true);
    return rangesContain(this.words, point);
  }
}

const WORK_PER_PULSE = 32_768;
const OUTSIDE = -2;

function asciiWordLook(look: Look, { bytes, from, to }: TextSlice, at: number): boolean {
  return wordLook(
    look,
    at > from && isWordByte(bytes[at - 1] as number),
    at < to && isWordByte(bytes[at] as number),
  );
}

function wordLook(look: Look, before: boolean, after: boolean): boolean {
  if (look === "word-start") return !before && after;
  if (look === "word-end") return before && !after;
  return (before !== after) === (look === "word" || look === "ascii-word");
}

interface Place {
  readonly text: TextSlice;
  readonly at: number;
}

// A set that is emptied in constant time: `visited` holds the round in which a state was last seen.
class ThreadList {
  size = 0;
  readonly states: Int32Array;
  readonly starts: Float64Array;
  private readonly visited: Uint32Array;
  private round = 1;

  constructor(capacity: number) {
    this.states = new Int32Array(capacity);
    this.starts = new Float64Array(capacity);
    this.visited = new Uint32Array(capacity);
  }

  clear(): void {
    this.size = 0;
    this.round++;
    if (this.round === 0xffffffff) {
      this.visited.fill(0);
      this.round = 1;
    }
  }

  visit(state: number): boolean {
    if (this.visited[state] === this.round) return false;
    this.visited[state] = this.round;
    return true;
  }

  push(state: number, start: number): void {
    this.states[this.size] = state;
    this.starts[this.size++] = start;
  }
}
