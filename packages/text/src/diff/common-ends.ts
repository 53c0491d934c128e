export interface CommonEnds {
  /** Start of the differing middle, the same in both texts. */
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
}

/** Finds the whole lines two texts share at their start and end. Both middles consist of whole lines. */
export function commonEnds(before: string, after: string): CommonEnds {
  const same = commonPrefixLength(before, after);
  if (same === before.length && same === after.length)
    return { start: same, beforeEnd: same, afterEnd: same };
  const start = same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
  const suffix = commonSuffixLength(before, after, Math.min(before.length, after.length) - start);
  const skip = toLineStart(before, after, suffix);
  return { start, beforeEnd: before.length - suffix + skip, afterEnd: after.length - suffix + skip };
}

// Comparing slices is a single memory comparison; only the block that differs is compared character by
// character.
const blockLength = 4096;

function commonPrefixLength(left: string, right: string): number {
  const limit = Math.min(left.length, right.length);
  let at = 0;
  while (
    at + blockLength <= limit &&
    left.slice(at, at + blockLength) === right.slice(at, at + blockLength)
  ) {
    at += blockLength;
  }
  while (at < limit && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  return at;
}

function commonSuffixLength(left: string, right: string, limit: number): number {
  let length = 0;
  while (length + blockLength <= limit && blockFromEnd(left, length) === blockFromEnd(right, length)) {
    length += blockLength;
  }
  while (length < limit && codeFromEnd(left, length) === codeFromEnd(right, length)) length++;
  return length;
}

function blockFromEnd(text: string, length: number): string {
  return text.slice(text.length - length - blockLength, text.length - length);
}

function codeFromEnd(text: string, length: number): number {
  return text.charCodeAt(text.length - length - 1);
}

/** Returns how much of the common suffix to drop so that it starts at a line start on both sides. */
function toLineStart(before: string, after: string, suffix: number): number {
  const at = before.length - suffix;
  if (startsLine(before, at) && startsLine(after, after.length - suffix)) return 0;
  const newline = before.indexOf("\n", at);
  return newline === -1 ? suffix : newline + 1 - at;
}

function startsLine(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 10;
}
