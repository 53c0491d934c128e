import type { ByteRange } from "@haft/core";
import { lastLineStart, type NewlineUnit } from "./newline-unit.js";

export interface BackwardScan {
  readonly size: number;
  readonly lines: number;
  readonly unit: NewlineUnit;
  readonly signal: AbortSignal;
  read(range: ByteRange): Promise<Uint8Array>;
}

/** Where the last lines of a file begin, found from its end: the cost is that of those lines alone. */
export async function scanBackward(scan: BackwardScan): Promise<{ start: number; lines: number }> {
  const { size, unit } = scan;
  let found = 0;
  // Blocks begin at multiples of their size, so that no unit is split.
  for (let end = size; end > 0; ) {
    scan.signal.throwIfAborted();
    const start = Math.floor((end - 1) / BLOCK_BYTES) * BLOCK_BYTES;
    const block = await scan.read({ start, end });
    // The newline that ends the file starts no line.
    let before = end === size ? block.length - 1 : block.length;
    for (let at = lastLineStart(block, before, unit); at !== -1; at = lastLineStart(block, before, unit)) {
      found += 1;
      if (found === scan.lines) return { start: start + at, lines: found };
      before = at - unit.width;
    }
    end = start;
  }
  return { start: 0, lines: size === 0 ? 0 : found + 1 };
}

const BLOCK_BYTES = 64 * 1024;
