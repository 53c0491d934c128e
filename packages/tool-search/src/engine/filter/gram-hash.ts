/**
 * Hashes three consecutive bytes like the kernel (kernel/collect-grams.ts): 16 bits, of which a small filter uses the
 * upper ones.
 */
export function gramHash(first: number, second: number, third: number): number {
  return (withoutCase(first) * 40_503 + withoutCase(second) * 34_283 + withoutCase(third) * 49_843) & 0xffff;
}

/** Folds ASCII letters only; other letters are compared by their bytes. */
export function withoutCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
