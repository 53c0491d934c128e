import { type ByteRange, ToolError } from "@haft/core";
import { lastLineStart, type NewlineUnit } from "./newline-unit.js";

export interface BackwardScan {
  readonly size: number;
  readonly lines: number;
  readonly unit: NewlineUnit;
  readonly signal: AbortSignal;
  read(range: ByteRange): Promise<Uint8Array>;
}

/**
 * Where the last lines of a file begin, found from its end: the cost is that of those lines alone.
 * Lines that take more than a bound are left out, so there may be fewer than asked for.
 */
export async function scanBackward(scan: BackwardScan): Promise<{ start: number; lines: number }> {
  const { size, unit } = scan;
  const floor = Math.max(0, size - MAX_SCANNED_BYTES);
  let found = 0;
  let earliest = size;
  for (let end = size; end > floor; ) {
    scan.signal.throwIfAborted();
    // A short look first, then long strides.
    const start = end === size ? lastBlockStart(size) : blockStart(end, BLOCK_BYTES);
    const block = await scan.read({ start, end });
    // The newline that ends the file starts no line.
    let before = end === size ? block.length - 1 : block.length;
    for (let at = lastLineStart(block, before, unit); at !== -1; at = lastLineStart(block, before, unit)) {
      found += 1;
      earliest = start + at;
      if (found === scan.lines) return { start: earliest, lines: found };
      before = at - unit.width;
    }
    end = start;
  }
  if (floor === 0) return { start: 0, lines: size === 0 ? 0 : found + 1 };
  if (found > 0) return { start: earliest, lines: found };
  throw new ToolError("LIMIT_EXCEEDED", `The last line is longer than ${MAX_SCANNED_BYTES} bytes`, {
    hint: "Search it with grep instead.",
  });
}

const FIRST_BLOCK_BYTES = 64 * 1024;
const BLOCK_BYTES = 1024 * 1024;
const MAX_SCANNED_BYTES = 64 * 1024 * 1024;

/** Where the first block that is looked at begins: a few hundred lines fit into it. */
export function lastBlockStart(size: number): number {
  return blockStart(size - FIRST_BLOCK_BYTES / 2, FIRST_BLOCK_BYTES);
}

/** A multiple of the block size, so that no unit is split. */
function blockStart(end: number, bytes: number): number {
  return Math.max(0, Math.floor((end - 1) / bytes) * bytes);
}
