import { ToolError } from "@haft/core";
import type { ByteRange } from "@haft/core/workspace";
import { lastLineStart, type NewlineUnit } from "./newline-unit.js";

interface BackwardScan {
  readonly size: number;
  readonly lines: number;
  readonly unit: NewlineUnit;
  readonly signal: AbortSignal;
  read(range: ByteRange): Promise<Uint8Array>;
}

/**
 * Finds the start of the last lines from the end of the file, at the cost of those lines alone. May return fewer lines
 * than requested if they exceed a limit.
 */
export async function scanBackward(scan: BackwardScan): Promise<{ start: number; lines: number }> {
  const { size, unit } = scan;
  const floor = Math.max(0, size - MAX_SCANNED_BYTES);
  let found = 0;
  let earliest = size;
  for (let end = size; end > floor; ) {
    scan.signal.throwIfAborted();
    // Reads a short block first, then long ones.
    const start = end === size ? lastBlockStart(size) : blockStart(end, BLOCK_BYTES);
    const block = await scan.read({ start, end });
    // The newline at the end of the file does not start a line.
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
    hint: "Search it with [[grep]] instead.",
  });
}

const FIRST_BLOCK_BYTES = 64 * 1024;
const BLOCK_BYTES = 1024 * 1024;
const MAX_SCANNED_BYTES = 64 * 1024 * 1024;

/** Returns the start of the first block, which holds a few hundred lines. */
export function lastBlockStart(size: number): number {
  return blockStart(size - FIRST_BLOCK_BYTES / 2, FIRST_BLOCK_BYTES);
}

/** Rounds to the block size, so that no unit is split. */
function blockStart(end: number, bytes: number): number {
  return Math.max(0, Math.floor((end - 1) / bytes) * bytes);
}
