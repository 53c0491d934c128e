import { ASSERT, BYTES, type ByteNfa, MATCH, SAVE, SPLIT, stepByte } from "./byte-nfa.js";
import { LookJudge } from "./look-judge.js";
import type { Look } from "./regex-node.js";
import { seenSlice, type TextSlice } from "./text-slice.js";
import { Visited } from "./visited.js";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Simulates the automaton directly: time linear in text times pattern, memory one entry per state. It finds the
 * leftmost match with the pattern's preferences, which a yes-or-no DFA cannot. It is also the fallback where a DFA
 * would need too many states.
 */
export class NfaSearch {
  private current: ThreadList;
  private next: ThreadList;
  private readonly stack: number[] = [];
  private readonly looks = new LookJudge();
  /** Undefined if a match may begin with any byte or be empty. */
  private readonly firstBytes: Uint8Array | undefined;
  /** States visited since the last pulse: a large pattern may visit thousands per byte. */
  private work = 0;
  private text: TextSlice = { bytes: new Uint8Array(), from: 0, to: 0 };
  private at = 0;
  /** The byte at the position and the next position: CRLF may count as one line feed. */
  private byte = -1;
  private after = 0;
  private anyEnd = false;
  found: Span | undefined;

  constructor(
    private readonly nfa: ByteNfa,
    /** Called about every millisecond; may throw to stop. */
    private readonly pulse: () => void = () => {},
  ) {
    this.current = new ThreadList(nfa.kinds.length);
    this.next = new ThreadList(nfa.kinds.length);
    this.firstBytes = firstBytes(nfa);
  }

  isMatch(text: TextSlice): boolean {
    return this.find(text, text.from, true) !== undefined;
  }

  /**
   * Returns the leftmost match that starts at or after `from`. With `anyEnd`, ends at the first position that proves
   * it.
   */
  find(text: TextSlice, from = text.from, anyEnd = false): Span | undefined {
    this.begin(text, from, anyEnd);
    while (!this.advance()) this.pulse();
    return this.found;
  }

  /** Starts a search that `advance` performs in steps. */
  begin(text: TextSlice, from: number, anyEnd = false): void {
    this.text = seenSlice(text, this.nfa.crlf);
    this.anyEnd = anyEnd;
    this.found = undefined;
    this.current.clear();
    this.at = this.firstPlace(from);
  }

  /** Works for about a millisecond. Returns true when the search is done and `found` holds its result. */
  advance(): boolean {
    const { bytes, to } = this.text;
    const { crlf } = this.nfa;
    while (this.at <= to) {
      if (this.isDue()) return false;
      const { at } = this;
      if (!this.found) this.follow(this.current, { state: this.nfa.start, start: at }, at);
      this.next.clear();
      this.byte = at < to ? (bytes[at] as number) : -1;
      this.after = at + 1;
      if (crlf && this.byte === CR && at + 1 < to && bytes[at + 1] === LF) {
        this.byte = LF;
        this.after = at + 2;
      }
      this.step();
      if (this.found && this.anyEnd) return true;
      [this.current, this.next] = [this.next, this.current];
      if (this.current.size > 0) this.at = this.after;
      else if (this.found) return true;
      else this.at = this.firstPlace(this.after);
    }
    return true;
  }

  // Counted over all searches: many short texts take as long as one long text.
  private isDue(): boolean {
    if (this.work <= WORK_PER_PULSE) return false;
    this.work = 0;
    return true;
  }

  /** Returns the next offset where a match may begin; past the text if there is none. */
  private firstPlace(from: number): number {
    const { bytes, to } = this.text;
    const first = this.firstBytes;
    if (!first) return from;
    let at = from;
    while (at < to && first[bytes[at] as number] === 0) at++;
    this.work += (at - from) >> 3;
    return at < to ? at : to + 1;
  }

  // Threads are in order of preference: a match ends all threads after it.
  private step(): void {
    const { byte, after, current } = this;
    for (let index = 0; index < current.size; index++) {
      const state = current.states[index] as number;
      const start = current.starts[index] as number;
      if (this.nfa.kinds[state] === MATCH) {
        this.found = { start, end: this.at };
        return;
      }
      if (byte < 0) continue;
      const target = stepByte(this.nfa.edges[state] as readonly number[], byte);
      if (target >= 0) this.follow(this.next, { state: target, start }, after);
    }
  }

  private follow(list: ThreadList, thread: { state: number; start: number }, at: number): void {
    const { kinds, edges, looks } = this.nfa;
    const stack = this.stack;
    stack.push(thread.state);
    while (stack.length > 0) {
      this.work++;
      const state = stack.pop() as number;
      if (!list.visited.visit(state)) continue;
      const kind = kinds[state];
      const targets = edges[state] as readonly number[];
      if (kind === BYTES || kind === MATCH) list.push(state, thread.start);
      else if (kind === ASSERT) {
        if (this.looks.holds(looks[state] as Look, this.text, at)) stack.push(targets[0] as number);
      } else if (kind === SPLIT)
        for (let index = targets.length - 1; index >= 0; index--) stack.push(targets[index] as number);
      else stack.push(targets[0] as number); // start or end of a group
    }
  }
}

const WORK_PER_PULSE = 32_768;

const LF = 0x0a;
const CR = 0x0d;

class ThreadList {
  size = 0;
  readonly states: Int32Array;
  readonly starts: Float64Array;
  readonly visited: Visited;

  constructor(capacity: number) {
    this.states = new Int32Array(capacity);
    this.starts = new Float64Array(capacity);
    this.visited = new Visited(capacity);
  }

  clear(): void {
    this.size = 0;
    this.visited.clear();
  }

  push(state: number, start: number): void {
    this.states[this.size] = state;
    this.starts[this.size++] = start;
  }
}

/** Returns the bytes a match can begin with, as a table; undefined if a match can be empty. */
function firstBytes(nfa: ByteNfa): Uint8Array | undefined {
  const table = new Uint8Array(256);
  const seen = new Uint8Array(nfa.kinds.length);
  const stack = [nfa.start];
  while (stack.length > 0) {
    const state = stack.pop() as number;
    if (seen[state]) continue;
    seen[state] = 1;
    const kind = nfa.kinds[state];
    const edges = nfa.edges[state] as readonly number[];
    if (kind === MATCH) return undefined;
    if (kind === BYTES)
      for (let index = 0; index < edges.length; index += 3)
        table.fill(1, edges[index], (edges[index + 1] as number) + 1);
    else if (kind === SAVE) stack.push(edges[0] as number);
    else for (let index = 0; index < edges.length; index++) stack.push(edges[index] as number);
  }
  // A line feed may be written as CRLF.
  if (nfa.crlf && table[0x0a]) table[0x0d] = 1;
  return table;
}
