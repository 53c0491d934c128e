import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import { asMaskedByte, type ByteSet } from "./byte-set.js";
import type { Prefilter } from "./choose-prefilter.js";
import type { Run } from "./required-runs.js";

/** Writes candidate lines in [from, end) to the kernel's OUT and returns their number. */
export type CandidateScan = (from: number, end: number) => number;

/** Writes the filter's tables into the kernel and returns the scan that uses them. */
export function installPrefilter(kernel: SearchKernel, filter: Prefilter): CandidateScan {
  if (filter.kind === "literal") {
    const { run, first, second } = filter;
    for (const [index, set] of run.entries()) {
      const { value, mask } = asMaskedByte(set) as { value: number; mask: number };
      kernel.bytes[KERNEL_LAYOUT.literal + index] = value;
      kernel.bytes[KERNEL_LAYOUT.masks + index] = mask;
    }
    return (from, end) => kernel.scan.scanLiteral(from, end, run.length, first, second);
  }
  const shared = filter.runs.length > 1;
  const width = (filter.runs[0] as Run).length;
  for (let position = 0; position < width; position++) {
    const sets = filter.runs.map((run) => run[position] as ByteSet);
    const tables = shared ? alternativeTables(sets) : setTables(sets[0] as ByteSet);
    kernel.bytes.set(tables, KERNEL_LAYOUT.nibbles + position * 32);
  }
  return (from, end) => kernel.scan.scanWindow(from, end, width, shared ? 1 : 0);
}

// One bit per alternative; from the ninth on they share bits, which only adds candidates.
function alternativeTables(sets: readonly ByteSet[]): Uint8Array {
  const tables = new Uint8Array(32);
  for (const [index, set] of sets.entries()) {
    const bit = 1 << (index % 8);
    for (let byte = 0; byte < 256; byte++) if (set[byte]) mark(tables, byte, bit);
  }
  return tables;
}

// One bit per distinct row of the 16 by 16 square of bytes; with more than eight, the rest share the last.
function setTables(set: ByteSet): Uint8Array {
  const tables = new Uint8Array(32);
  const bits = new Map<string, number>();
  for (let high = 0; high < 16; high++) {
    const row = set.subarray(high * 16, high * 16 + 16);
    if (!row.includes(1)) continue;
    const key = row.join("");
    const bit = bits.get(key) ?? 1 << Math.min(bits.size, 7);
    bits.set(key, bit);
    for (let low = 0; low < 16; low++) if (row[low]) mark(tables, high * 16 + low, bit);
  }
  return tables;
}

function mark(tables: Uint8Array, byte: number, bit: number): void {
  tables[byte & 15] = (tables[byte & 15] as number) | bit;
  tables[16 + (byte >> 4)] = (tables[16 + (byte >> 4)] as number) | bit;
}
