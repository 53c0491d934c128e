import { ASSERT, BYTES, type ByteNfa, MATCH, SAVE, stepByte } from "./byte-nfa.js";
import { LookJudge } from "./look-judge.js";
import type { Span } from "./nfa-search.js";
import type { Look } from "./regex-node.js";
import { seenSlice, type TextSlice } from "./text-slice.js";
import { Visited } from "./visited.js";

const LF = 0x0a;
const CR = 0x0d;
const UNSET = -1;
const WORK_PER_PAUSE = 4_096;
/** Maximum number of slots for all states together. More groups are resolved in several passes. */
const MAX_SLOTS = 4_000_000;

/**
 * Finds what the groups of a known match captured, by following all alternatives in parallel. Time is linear in match
 * length times pattern size.
 */
export class CaptureSearch {
  private readonly looks = new LookJudge();
  private readonly groupsPerPass: number;
  private readonly visited: Visited;

  constructor(private readonly nfa: ByteNfa) {
    this.visited = new Visited(nfa.kinds.length);
    this.groupsPerPass = Math.max(1, Math.floor(MAX_SLOTS / (nfa.kinds.length * 2)));
  }

  /**
   * Returns the spans of the given groups; undefined for a group that took no part in the match. Yields every
   * millisecond or so.
   */
  *resolve(given: TextSlice, match: Span, groups: readonly number[]): Generator<undefined, GroupSpans> {
    const text = seenSlice(given, this.nfa.crlf);
    const spans = new Map<number, Span | undefined>();
    for (let from = 0; from < groups.length; from += this.groupsPerPass) {
      const wanted = groups.slice(from, from + this.groupsPerPass);
      const { nfa, looks, visited } = this;
      const slots = yield* new CapturePass({ nfa, looks, visited, text }, wanted).run(match);
      for (const [index, group] of wanted.entries()) {
        const [start, end] = [slots[index * 2] as number, slots[index * 2 + 1] as number];
        spans.set(group, start === UNSET || end === UNSET ? undefined : { start, end });
      }
    }
    return spans;
  }
}

export type GroupSpans = ReadonlyMap<number, Span | undefined>;

interface PassSetup {
  readonly visited: Visited;
  readonly nfa: ByteNfa;
  readonly looks: LookJudge;
  readonly text: TextSlice;
}

/** A state with its slots on arrival; a negative state restores a slot when backing out. */
interface Step {
  readonly state: number;
  readonly slot: number;
  readonly value: number;
}

class CapturePass {
  private readonly places = new Map<number, number>();
  /** States in order of preference, each with its slots. */
  private current: Thread[] = [];
  private next: Thread[] = [];
  private slots: Int32Array;
  private work = 0;

  constructor(
    private readonly setup: PassSetup,
    groups: readonly number[],
  ) {
    for (const [index, group] of groups.entries()) {
      this.places.set(group * 2, index * 2);
      this.places.set(group * 2 + 1, index * 2 + 1);
    }
    this.slots = new Int32Array(groups.length * 2).fill(UNSET);
  }

  *run({ start, end }: Span): Generator<undefined, Int32Array> {
    const { nfa, text, visited } = this.setup;
    let best: Int32Array = this.slots.slice();
    visited.clear();
    this.follow(this.current, { state: nfa.start, at: start });
    for (let at = start; at <= end && this.current.length > 0; ) {
      const isCrlf = nfa.crlf && at + 1 < text.to && text.bytes[at] === CR && text.bytes[at + 1] === LF;
      const byte = isCrlf ? LF : at < text.to ? (text.bytes[at] as number) : -1;
      const after = at + (isCrlf ? 2 : 1);
      best = this.step(byte, after) ?? best;
      at = after;
      if (this.work < WORK_PER_PAUSE) continue;
      this.work = 0;
      yield undefined;
    }
    return best;
  }

  /**
   * Advances every thread over one byte. Returns the slots of a thread that matches here; less preferred threads end.
   */
  private step(byte: number, after: number): Int32Array | undefined {
    const { nfa } = this.setup;
    let matched: Int32Array | undefined;
    this.next = [];
    this.setup.visited.clear();
    for (const { state, slots } of this.current) {
      if (nfa.kinds[state] === MATCH) {
        matched = slots;
        break;
      }
      const target = byte < 0 ? -1 : stepByte(nfa.edges[state] as readonly number[], byte);
      if (target < 0) continue;
      this.slots = slots.slice();
      this.follow(this.next, { state: target, at: after });
    }
    this.current = this.next;
    return matched;
  }

  private follow(list: Thread[], { state: first, at }: { state: number; at: number }): void {
    const { nfa, looks, text, visited } = this.setup;
    const stack: Step[] = [{ state: first, slot: 0, value: 0 }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      const { state } = step;
      if (state < 0) {
        this.slots[step.slot] = step.value;
        continue;
      }
      if (!visited.visit(state)) continue;
      this.work++;
      const kind = nfa.kinds[state];
      const edges = nfa.edges[state] as readonly number[];
      if (kind === BYTES || kind === MATCH) list.push({ state, slots: this.slots.slice() });
      else if (kind === SAVE) this.save(edges, at, stack);
      else if (kind === ASSERT) {
        if (looks.holds(nfa.looks[state] as Look, text, at)) stack.push(goTo(edges[0]));
      } else for (let index = edges.length - 1; index >= 0; index--) stack.push(goTo(edges[index]));
    }
  }

  private save([target, slot]: readonly number[], at: number, stack: Step[]): void {
    const place = this.places.get(slot as number);
    if (place !== undefined) {
      stack.push({ state: -1, slot: place, value: this.slots[place] as number });
      this.slots[place] = at;
    }
    stack.push(goTo(target));
  }
}

interface Thread {
  readonly state: number;
  readonly slots: Int32Array;
}

function goTo(state: number | undefined): Step {
  return { state: state as number, slot: 0, value: 0 };
}
