import { countNewlines as countNewlineBytes } from "@haft/text";

/**
 * How an encoding represents a newline. In UTF-8 and every legacy encoding the byte 0x0A is always a newline, so lines
 * can be found without decoding; UTF-16 and UTF-32 need alignment.
 */
export interface NewlineUnit {
  readonly width: 1 | 2 | 4;
  /** Position of the byte 0x0A within the unit. */
  readonly at: number;
}

export function newlineUnit(encoding: string): NewlineUnit {
  const match = /^utf-(16|32)(le|be)$/.exec(encoding);
  if (match === null) return { width: 1, at: 0 };
  const width = match[1] === "16" ? 2 : 4;
  return { width, at: match[2] === "le" ? 0 : width - 1 };
}

/** Returns the start of the next line, after the first newline at or after `from`; -1 if there is none. */
export function nextLineStart(bytes: Uint8Array, from: number, unit: NewlineUnit): number {
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
    const start = at - unit.at;
    if (isNewline(bytes, start, unit)) return start + unit.width;
  }
  return -1;
}

/** Returns the start of the last line before `before`; -1 if there is none. */
export function lastLineStart(bytes: Uint8Array, before: number, unit: NewlineUnit): number {
  if (before < unit.width) return -1;
  const last = before - unit.width + unit.at;
  for (let at = bytes.lastIndexOf(NEWLINE, last); at !== -1; at = lastBefore(bytes, at)) {
    const start = at - unit.at;
    if (isNewline(bytes, start, unit)) return start + unit.width;
  }
  return -1;
}

export function countNewlines(bytes: Uint8Array, from: number, unit: NewlineUnit): number {
  if (unit.width === 1) return countNewlineBytes(bytes, from);
  let count = 0;
  for (let start = nextLineStart(bytes, from, unit); start !== -1; start = nextLineStart(bytes, start, unit))
    count += 1;
  return count;
}

/** Regroups bytes into chunks that never split a unit. */
export async function* alignedChunks(
  chunks: AsyncIterable<Uint8Array>,
  { width }: NewlineUnit,
): AsyncIterable<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : joined(rest, chunk);
    const end = bytes.length - (bytes.length % width);
    rest = bytes.slice(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}

const NEWLINE = 0x0a;

function isNewline(bytes: Uint8Array, start: number, { width, at }: NewlineUnit): boolean {
  if (width === 1) return true;
  if (start < 0 || start % width !== 0 || start + width > bytes.length) return false;
  for (let index = 0; index < width; index += 1) if (index !== at && bytes[start + index] !== 0) return false;
  return true;
}

// A negative start would make lastIndexOf search from the end.
function lastBefore(bytes: Uint8Array, at: number): number {
  return at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
