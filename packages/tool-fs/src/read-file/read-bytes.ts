import { ToolError } from "@haft/core";
import { describeBytes, toBase64 } from "@haft/text";
import { fileFacts, NO_LINES } from "./file-facts.js";
import type { ReadFileResult } from "./read-file-schema.js";
import type { ReadContext } from "./read-slice.js";
import type { FileInHand } from "./read-text.js";

/** Returns a file's bytes as base64, or fails: part of a binary file is useless. */
export async function readBase64(hand: FileInHand, { workspace }: ReadContext): Promise<ReadFileResult> {
  const { file, args, limits } = hand;
  if (file.size > limits.attachedBytes) {
    throw new ToolError(
      "FILE_TOO_LARGE",
      `${args.path} has ${describeBytes(file.size)}; base64 is limited to ${describeBytes(limits.attachedBytes)}`,
      { details: { size: file.size, maxBytes: limits.attachedBytes } },
    );
  }
  const hash = await workspace.hashOf(file.path);
  const bytes = await workspace.readBytes(file.path);
  return {
    ...fileFacts({ ...file, size: bytes.length }, workspace),
    kind: "base64",
    ...NO_LINES,
    encoding: "base64",
    content: toBase64(bytes),
    hash,
  };
}
