/** A set of bytes: 256 flags. */
export type ByteSet = Uint8Array;

export function uniteSets(left: ByteSet, right: ByteSet): ByteSet {
  return left.map((flag, byte) => flag | (right[byte] as number));
}

/** Returns the set as (byte | mask) === value, if it is one byte or one ASCII letter in both cases. */
export function asMaskedByte(set: ByteSet): { value: number; mask: number } | undefined {
  const first = set.indexOf(1);
  const last = set.lastIndexOf(1);
  if (first < 0) return undefined;
  if (first === last) return { value: first, mask: 0 };
  const isLetterPair = last - first === 0x20 && first >= 0x41 && first <= 0x5a;
  return isLetterPair && count(set) === 2 ? { value: last, mask: 0x20 } : undefined;
}

function count(set: ByteSet): number {
  return set.reduce((sum, flag) => sum + flag, 0);
}
