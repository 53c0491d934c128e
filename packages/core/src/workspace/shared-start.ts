/** Returns the number of bytes with which both begin, rounded down to whole words. */
export function sharedStart(left: Uint8Array, right: Uint8Array): number {
  const words = Math.min(left.length, right.length) >> 2;
  const [first, second] = [wordsOf(left, words), wordsOf(right, words)];
  if (first === undefined || second === undefined) return 0;
  let at = 0;
  while (at < words && first[at] === second[at]) at++;
  return at * 4;
}

/** Returns undefined for bytes that do not start at a word of their memory, as small ones may. */
function wordsOf({ buffer, byteOffset }: Uint8Array, words: number): Int32Array | undefined {
  return byteOffset % 4 === 0 ? new Int32Array(buffer, byteOffset, words) : undefined;
}
