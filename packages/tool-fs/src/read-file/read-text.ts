import type { ToolErrorOptions } from "@haft/core";
import { type FileStat, type TextFile, ToolError } from "@haft/core";
import { binaryFileError } from "./binary-file-error.js";
import { fileFacts } from "./file-facts.js";
import { pagedText } from "./paged-text.js";
import type { ReadFileArgs, ReadFileResult } from "./read-file-schema.js";
import type { ReadLimits } from "./read-limits.js";
import { type ReadContext, readSlice } from "./read-slice.js";
import { sliceOfText } from "./text-slice.js";

export interface FileInHand {
  readonly file: FileStat;
  readonly head: Uint8Array;
  readonly args: ReadFileArgs;
  readonly limits: ReadLimits;
  /** The file's hash, when it had to be known already. */
  readonly hash?: string;
}

/** Text in any encoding: a small file is decoded whole, of a big one only the lines asked for. */
export async function readText(hand: FileInHand, context: ReadContext): Promise<ReadFileResult> {
  // A byte order mark alone is no line, which only decoding tells.
  const isSmall = hand.file.size <= Math.max(hand.limits.wholeBytes, LONGEST_MARK_BYTES);
  return isSmall ? readWhole(hand, context) : readPart(hand, context);
}

const LONGEST_MARK_BYTES = 4;

async function readWhole(hand: FileInHand, context: ReadContext): Promise<ReadFileResult> {
  const whole = await context.workspace.readTextFile(hand.file.path).catch((error) => {
    throw ToolError.is(error) && error.code === "BINARY_FILE" ? notText(hand, { cause: error }) : error;
  });
  return wholeText(whole, hand, context);
}

/** The answer about a file that is in memory. */
export function wholeText(
  whole: TextFile,
  asked: Pick<FileInHand, "args" | "limits">,
  { workspace }: Pick<ReadContext, "workspace">,
): ReadFileResult {
  const facts = { ...fileFacts(whole, workspace), kind: "text" as const, hash: whole.hash };
  return { ...facts, ...pagedText(sliceOfText(whole.text, asked.args.offset), whole.format, asked) };
}

async function readPart(hand: FileInHand, context: ReadContext): Promise<ReadFileResult> {
  const { file, head, args, limits } = hand;
  const { workspace } = context;
  // Counting and hashing pass over the whole file; a bigger one is answered at the cost of its page.
  const isCounted = file.size <= limits.countedBytes;
  const hash = hand.hash ?? (isCounted ? await workspace.hashOf(file.path) : undefined);
  const read = await readSlice({ file, head, offset: args.offset, limit: args.limit, limits }, context);
  if (read === undefined) throw notText(hand, {});
  return {
    ...fileFacts(file, workspace),
    kind: "text",
    ...(hash === undefined ? {} : { hash }),
    ...pagedText(read.slice, read.format, hand),
  };
}

function notText(
  { file, head, args, limits }: FileInHand,
  options: Pick<ToolErrorOptions, "cause">,
): ToolError {
  return binaryFileError({
    path: args.path,
    size: file.size,
    head,
    fitsBase64: file.size <= limits.attachedBytes,
    ...options,
  });
}
