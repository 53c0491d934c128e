/** Three bytes in a row, as the kernel hashes them (kernel/collect-grams.ts): 16 bits, of which a small filter takes the upper. */
export function gramHash(first: number, second: number, third: number): number {
  return (withoutCase(first) * 40_503 + withoutCase(second) * 34_283 + withoutCase(third) * 49_843) & 0xffff;
}

/** ASCII letters only: what has a case beyond them is told apart by its bytes. */
export function withoutCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}
