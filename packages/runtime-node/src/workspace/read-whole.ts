import { type ByteRange, fileTooLarge } from "@haft/core/workspace";
import type { OpenFile } from "./open-file.js";

/** Returns all bytes of a file that fits in memory. */
export async function readWhole(file: OpenFile, given: string): Promise<Uint8Array> {
  return file.read(withinLimit({}, file, given));
}

/** Returns the range if its bytes fit in memory. */
export function withinLimit(range: ByteRange, file: OpenFile, given: string): ByteRange {
  const covered = Math.min(range.end ?? file.size, file.size) - (range.start ?? 0);
  if (covered <= MAX_WHOLE_BYTES) return range;
  throw fileTooLarge(given, { size: file.size, most: MAX_WHOLE_BYTES });
}

const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
