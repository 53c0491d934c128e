import type { Pace } from "@haft/core/workspace";

/** A member of an object or an item of a list, as unparsed text. */
export interface JsonPiece {
  /** The name of a member. */
  readonly key?: string;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Number of lists, objects, members and items it holds, which determines the cost of parsing it. */
  readonly values: number;
}

/**
 * Splits the object or list at `start` into its parts without parsing them and without blocking the thread. Undefined
 * if the text is neither. Invalid JSON inside a part is detected when the part is parsed.
 */
export async function jsonPieces(
  text: string,
  start: number,
  pace: Pace,
): Promise<{ readonly pieces: readonly JsonPiece[]; readonly end: number } | undefined> {
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return undefined;
  const close = isObject ? "}" : "]";
  const pieces: JsonPiece[] = [];
  let at = skipBlanks(text, start + 1);
  if (text[at] === close) return { pieces, end: at + 1 };
  for (;;) {
    const named = isObject ? readKey(text, at) : { at };
    if (named === undefined) return undefined;
    const value = await measureValue(text, named.at, pace);
    if (value === undefined) return undefined;
    pieces.push({ ...(named.key === undefined ? {} : { key: named.key }), start: named.at, ...value });
    at = skipBlanks(text, value.end);
    if (text[at] === close) return { pieces, end: at + 1 };
    if (text[at] !== ",") return undefined;
    at = skipBlanks(text, at + 1);
  }
}

/**
 * A regular expression passes millions of blanks ten times as fast as a loop, which blocked the thread for a quarter
 * second.
 */
export function skipBlanks(text: string, from: number): number {
  if (!isBlank(text.charCodeAt(from))) return from;
  const visible = /[^ \n\r\t]/g;
  visible.lastIndex = from;
  return visible.exec(text)?.index ?? text.length;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Parses `"name" :` and returns the start of the value. */
function readKey(text: string, start: number): { readonly key?: string; readonly at: number } | undefined {
  const end = text[start] === '"' ? endOfString(text, start) : -1;
  const colon = end === -1 ? -1 : skipBlanks(text, end);
  if (text[colon] !== ":") return undefined;
  try {
    return { key: JSON.parse(text.slice(start, end)) as string, at: skipBlanks(text, colon + 1) };
  } catch {
    return undefined;
  }
}

async function measureValue(
  text: string,
  start: number,
  pace: Pace,
): Promise<Pick<JsonPiece, "end" | "values"> | undefined> {
  let [depth, values, rest] = [0, 1, start + TURN_CHARS];
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end === -1) return undefined;
      if (depth === 0) return { end, values };
      at = end - 1;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      // A number or word ends where its container ends.
      if (depth === 0) return at === start ? undefined : { end: at, values };
      depth -= 1;
      if (depth === 0) return { end: at + 1, values };
    } else if (code === COMMA) {
      if (depth === 0) return at === start ? undefined : { end: at, values };
      values += 1;
    } else if (depth === 0 && isBlank(code)) return { end: at, values };
    if (at > rest) {
      await pace.breathe();
      rest = at + TURN_CHARS;
    }
  }
  return undefined;
}

const TURN_CHARS = 1_000_000;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the index after the string at `start`, or -1 if it is unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return -1;
}
