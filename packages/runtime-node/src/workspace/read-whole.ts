import { type ByteRange, ToolError } from "@haft/core";
import type { OpenFile } from "./open-file.js";
import { showPath } from "./path-error.js";

/** All bytes of a file that may be held whole. */
export async function readWhole(file: OpenFile, given: string): Promise<Uint8Array> {
  return file.read(withinLimit({}, file, given));
}

/** A range, if what it covers may be held in memory at once. */
export function withinLimit(range: ByteRange, file: OpenFile, given: string): ByteRange {
  const covered = Math.min(range.end ?? file.size, file.size) - (range.start ?? 0);
  if (covered <= MAX_WHOLE_BYTES) return range;
  throw new ToolError(
    "FILE_TOO_LARGE",
    `${showPath(given)} has ${file.size} bytes; at most ${MAX_WHOLE_BYTES} are read at once`,
    { hint: "Read a part of it.", details: { path: given, size: file.size } },
  );
}

/** Says what the file is instead of showing its bytes as if they were text. */
export function binaryFile(given: string, bytes: Uint8Array): ToolError {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("hex");
  return new ToolError("BINARY_FILE", `Cannot read as text: ${showPath(given)} is binary`, {
    hint: `It has ${bytes.length} bytes. Read it as base64 if you need its content.`,
    details: { path: given, size: bytes.length, head },
  });
}

const MAX_WHOLE_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 16;
