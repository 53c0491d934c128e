import { type NextCall, ToolError } from "@haft/core";
import { countOf, describeBytes } from "@haft/text";
import { mimeTypeOf } from "./file-kind.js";

interface BinaryFile {
  readonly path: string;
  readonly size: number;
  readonly head: Uint8Array;
  /** Whether the file is small enough to return as base64. */
  readonly fitsBase64: boolean;
  readonly cause?: unknown;
}

/** Describes a file that is not text, and the call that returns its bytes. */
export function binaryFileError(file: BinaryFile): ToolError {
  const { path, size } = file;
  const mimeType = mimeTypeOf(file.head) ?? "application/octet-stream";
  const firstBytes = hex(file.head.subarray(0, SHOWN_BYTES));
  const detail = `${mimeType}, ${size < 1024 ? countOf(size, "byte") : `${describeBytes(size)}, ${countOf(size, "byte")}`}`;
  const next: NextCall = { tool: "read_file", args: { path, encoding: "base64" } };
  return new ToolError("BINARY_FILE", `Cannot read as text: ${path} is a binary file (${detail})`, {
    hint: `First bytes: ${firstBytes}`,
    details: { path, size, mimeType, firstBytes },
    ...(file.fitsBase64 ? { next } : {}),
    ...("cause" in file ? { cause: file.cause } : {}),
  });
}

const SHOWN_BYTES = 16;

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
