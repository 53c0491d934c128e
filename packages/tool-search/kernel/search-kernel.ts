// The search kernel, in AssemblyScript: everything that looks at each byte of every file. It allocates nothing;
// TypeScript places tables and text in memory at the addresses of src/engine/kernel/kernel-layout.ts.
//
// All scans report at most one position per line, as pairs (position, end of line) at OUT, and expect a newline at
// the end of the text and 64 readable bytes after it.

import { lineEnd, lineStart } from "./lines";

export { collectGrams } from "./collect-grams";
export { countByte, findByte, findZero, lineStart } from "./lines";

const CLASSES: usize = 1024;
const LITERAL: usize = 2048;
const MASKS: usize = 2560;
const NIBBLES: usize = 3072;
const OUT: usize = 4096;
const OUT_CAPACITY: i32 = 8192;
const TABLE: usize = 131072;

const DEAD: i32 = 1;
const MATCH: i32 = 2;

/** Where to continue after a scan stopped early. */
export let resume: i32 = 0;
/**
 * Why scanDfa stopped: 0 at the end, 1 for lack of room, 2 at an unknown transition, 3 at a byte it must not judge.
 */
export let reason: i32 = 0;
/** The state before the byte at `resume`. */
export let state: i32 = 0;

// Where `judgeLines` is: the next candidate, how many were kept, where the next line may begin, and the bytes it read.
export let cursor: i32 = 0;
export let kept: i32 = 0;
export let low: i32 = 0;
export let examined: i32 = 0;

/** Finds a literal, compared as (byte | mask) so that letters may ignore case; two of its bytes select candidates. */
export function scanLiteral(from: i32, end: i32, length: i32, first: i32, second: i32): i32 {
  const firstByte = i8x16.splat(load<i8>(LITERAL + first));
  const firstMask = i8x16.splat(load<i8>(MASKS + first));
  const secondByte = i8x16.splat(load<i8>(LITERAL + second));
  const secondMask = i8x16.splat(load<i8>(MASKS + second));
  const last = end - length;
  let count = 0;
  let at = from;
  while (at <= last) {
    const a = i8x16.eq(v128.or(v128.load(at + first), firstMask), firstByte);
    const b = i8x16.eq(v128.or(v128.load(at + second), secondMask), secondByte);
    const c = i8x16.eq(v128.or(v128.load(at + first, 16), firstMask), firstByte);
    const d = i8x16.eq(v128.or(v128.load(at + second, 16), secondMask), secondByte);
    const low = v128.and(a, b);
    const high = v128.and(c, d);
    if (!v128.any_true(v128.or(low, high))) {
      at += 32;
      continue;
    }
    let found = i8x16.bitmask(low) | (i8x16.bitmask(high) << 16);
    let next = at + 32;
    while (found !== 0) {
      const place = at + ctz(found);
      found &= found - 1;
      if (place > last || !isLiteral(place, length)) continue;
      const stop = lineEnd(place);
      store<i32>(OUT + ((<usize>count) << 3), place);
      store<i32>(OUT + ((<usize>count) << 3), stop, 4);
      next = stop + 1;
      if (++count === OUT_CAPACITY) {
        resume = next;
        return count;
      }
      break;
    }
    at = next;
  }
  resume = end;
  return count;
}

function isLiteral(place: i32, length: i32): bool {
  for (let index = 0; index < length; index++) {
    if ((load<u8>(place + index) | load<u8>(MASKS + index)) !== load<u8>(LITERAL + index)) return false;
  }
  return true;
}

function hits(at: i32, low: v128, high: v128): v128 {
  const text = v128.load(at);
  const right = i8x16.swizzle(low, v128.and(text, i8x16.splat(15)));
  return v128.and(right, i8x16.swizzle(high, i8x16.shr_u(text, 4)));
}

/**
 * Finds a window of 2 to 4 byte sets, each as two tables over the halves of a byte. `shared`: the bits of all
 * positions belong to the same alternative and must agree; otherwise each position is independent.
 */
export function scanWindow(from: i32, end: i32, width: i32, shared: i32): i32 {
  const low0 = v128.load(NIBBLES);
  const high0 = v128.load(NIBBLES, 16);
  const low1 = v128.load(NIBBLES, 32);
  const high1 = v128.load(NIBBLES, 48);
  const low2 = v128.load(NIBBLES, 64);
  const high2 = v128.load(NIBBLES, 80);
  const low3 = v128.load(NIBBLES, 96);
  const high3 = v128.load(NIBBLES, 112);
  const zero = i8x16.splat(0);
  const last = end - width;
  let count = 0;
  let at = from;
  while (at <= last) {
    let all = hits(at, low0, high0);
    if (shared !== 0) {
      if (width > 1) all = v128.and(all, hits(at + 1, low1, high1));
      if (width > 2) all = v128.and(all, hits(at + 2, low2, high2));
      if (width > 3) all = v128.and(all, hits(at + 3, low3, high3));
      all = i8x16.ne(all, zero);
    } else {
      all = i8x16.ne(all, zero);
      if (width > 1) all = v128.and(all, i8x16.ne(hits(at + 1, low1, high1), zero));
      if (width > 2) all = v128.and(all, i8x16.ne(hits(at + 2, low2, high2), zero));
      if (width > 3) all = v128.and(all, i8x16.ne(hits(at + 3, low3, high3), zero));
    }
    const found = i8x16.bitmask(all);
    if (found === 0) {
      at += 16;
      continue;
    }
    const place = at + ctz(found);
    if (place > last) break;
    const stop = lineEnd(place);
    store<i32>(OUT + ((<usize>count) << 3), place);
    store<i32>(OUT + ((<usize>count) << 3), stop, 4);
    at = stop + 1;
    if (++count === OUT_CAPACITY) {
      resume = at;
      return count;
    }
  }
  resume = end;
  return count;
}

/**
 * Runs the automaton over whole lines from `from` in state `current`. States and table entries are byte offsets of
 * rows; rows 1 to 3 are special, and a zero entry is a transition not computed yet.
 */
export function scanDfa(from: i32, end: i32, current: i32, start: i32, row: i32, capacity: i32): i32 {
  const special = row * 3;
  let count = 0;
  let at = from;
  let now = current;
  while (at < end) {
    const next = load<i32>(TABLE + <usize>now + ((<usize>load<u8>(CLASSES + <usize>load<u8>(at))) << 2));
    if (next > special) {
      now = next;
      at++;
      continue;
    }
    if (next === row * MATCH) {
      const stop = lineEnd(at);
      store<i32>(OUT + ((<usize>count) << 3), at);
      store<i32>(OUT + ((<usize>count) << 3), stop, 4);
      at = stop + 1;
      now = start;
      if (++count === capacity) {
        reason = 1;
        resume = at;
        state = start;
        return count;
      }
    } else if (next === row * DEAD) {
      at = lineEnd(at) + 1;
      now = start;
    } else {
      reason = next === 0 ? 2 : 3;
      resume = at;
      state = now;
      return count;
    }
  }
  reason = 0;
  resume = end;
  state = now;
  return count;
}

/**
 * Runs the automaton over the line of each candidate at OUT, from `cursor` on, and moves those that match to the front.
 * Starts inside the line of the first, at `resume` in `state`, unless `resume` is 0. `reason` as for scanDfa.
 */
export function judgeLines(count: i32, start: i32, row: i32): void {
  const special = row * 3;
  for (let index = cursor; index < count; index++) {
    const place = load<i32>(OUT + ((<usize>index) << 3));
    const stop = load<i32>(OUT + ((<usize>index) << 3), 4);
    let at = resume;
    let now = state;
    if (at === 0) {
      at = lineStart(place, low);
      now = start;
      examined += stop - at;
    }
    resume = 0;
    let next = special;
    while (at <= stop) {
      next = load<i32>(TABLE + <usize>now + ((<usize>load<u8>(CLASSES + <usize>load<u8>(at))) << 2));
      if (next <= special) break;
      now = next;
      at++;
    }
    if (at <= stop && (next === 0 || next === special)) {
      reason = next === 0 ? 2 : 3;
      cursor = index;
      resume = at;
      state = now;
      return;
    }
    if (next === row * MATCH) keepCandidate(index);
    low = stop + 1;
  }
  cursor = count;
  reason = 0;
}

function keepCandidate(index: i32): void {
  const from = OUT + ((<usize>index) << 3);
  const to = OUT + ((<usize>kept) << 3);
  store<i32>(to, load<i32>(from));
  store<i32>(to, load<i32>(from, 4), 4);
  kept++;
}

/** Ends the judgement of the candidate at which `judgeLines` stopped. */
export function settleLine(matches: i32): void {
  if (matches !== 0) keepCandidate(cursor);
  low = load<i32>(OUT + ((<usize>cursor) << 3), 4) + 1;
  cursor++;
  resume = 0;
}

/**
 * Runs the automaton over text in which a newline is an ordinary byte. Stops at the first special row, in `state`.
 */
export function runDfa(from: i32, end: i32, current: i32, row: i32): i32 {
  const special = row * 3;
  let at = from;
  let now = current;
  while (at < end) {
    const next = load<i32>(TABLE + <usize>now + ((<usize>load<u8>(CLASSES + <usize>load<u8>(at))) << 2));
    if (next <= special) {
      reason = next;
      state = now;
      return at;
    }
    now = next;
    at++;
  }
  reason = -1;
  state = now;
  return end;
}
