/** A set of bytes, as a table of flags. */
interface ByteClass {
  readonly set: Uint8Array;
  /** Index after the closing bracket. */
  readonly end: number;
}

/**
 * Parses the class that opens at an index of a byte string, as git does. Returns undefined where git rejects the
 * rule: the class is unclosed or uses an unknown name. The class never contains the slash.
 */
export function parseByteClass(pattern: string, open: number): ByteClass | undefined {
  const set = new Uint8Array(256);
  let at = open + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at++;
  let previous = -1;
  for (let isFirst = true; isFirst || pattern[at] !== "]"; isFirst = false) {
    const item = parseItem(pattern, at, previous);
    if (!item) return undefined;
    set.fill(1, item.low, item.high + 1);
    for (const [low, high] of item.named ?? []) set.fill(1, low, high + 1);
    previous = item.previous;
    at = item.end;
    if (at >= pattern.length) return undefined;
  }
  if (negated) for (let byte = 0; byte < 256; byte++) set[byte] = set[byte] ? 0 : 1;
  set[SLASH] = 0;
  return { set, end: at + 1 };
}

const SLASH = 0x2f;

/** One byte, the rest of a range, or a named class. */
interface ClassItem {
  readonly low: number;
  readonly high: number;
  readonly named?: Ranges;
  /** The byte a range could start with; -1 after a range or a named class. */
  readonly previous: number;
  readonly end: number;
}

function parseItem(pattern: string, at: number, previous: number): ClassItem | undefined {
  const char = pattern[at];
  if (char === undefined) return undefined;
  const next = pattern[at + 1];
  if (char === "-" && previous >= 0 && next !== undefined && next !== "]")
    return rangeEnd(pattern, at + 1, previous);
  if (char === "[" && next === ":") {
    const close = pattern.indexOf("]", at + 2);
    if (close < 0) return undefined;
    if (close > at + 2 && pattern[close - 1] === ":")
      return namedClass(pattern.slice(at + 2, close - 1), close + 1);
  }
  const place = char === "\\" ? at + 1 : at;
  return place < pattern.length ? single(pattern.charCodeAt(place), place + 1) : undefined;
}

// A reversed range is empty, but its first byte was already added.
function rangeEnd(pattern: string, at: number, low: number): ClassItem | undefined {
  const place = pattern[at] === "\\" ? at + 1 : at;
  if (place >= pattern.length) return undefined;
  return { low, high: pattern.charCodeAt(place), previous: -1, end: place + 1 };
}

function namedClass(name: string, end: number): ClassItem | undefined {
  const named = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  return named && { low: 0, high: -1, named, previous: -1, end };
}

function single(byte: number, end: number): ClassItem {
  return { low: byte, high: byte, previous: byte, end };
}

type Ranges = readonly (readonly [number, number])[];

const UPPER = [0x41, 0x5a] as const;
const LOWER = [0x61, 0x7a] as const;
const DIGIT = [0x30, 0x39] as const;

/** Non-ASCII letters belong to none of these classes, in any locale. */
const NAMED: Readonly<Record<string, Ranges>> = {
  alnum: [UPPER, LOWER, DIGIT],
  alpha: [UPPER, LOWER],
  blank: [
    [0x20, 0x20],
    [0x09, 0x09],
  ],
  cntrl: [
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ],
  digit: [DIGIT],
  graph: [[0x21, 0x7e]],
  lower: [LOWER],
  print: [[0x20, 0x7e]],
  punct: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
  ],
  upper: [UPPER],
  xdigit: [DIGIT, [0x41, 0x46], [0x61, 0x66]],
};
