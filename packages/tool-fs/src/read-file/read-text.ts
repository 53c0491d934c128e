import type { ToolErrorOptions } from "@haft/core";
import { type FileStat, type TextFile, ToolError } from "@haft/core";
import type { WorkLimiter } from "@haft/core/capabilities";
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
  /** Limits parsers of files that may be hostile. */
  readonly limiter: WorkLimiter;
  /** The encoding named by the caller. */
  readonly encoding?: string | undefined;
  /** The hash of the file, if it was already needed. */
  readonly hash?: string;
}

/** Reads text in any encoding: a small file completely, of a big one only the requested lines. */
export async function readText(hand: FileInHand, context: ReadContext): Promise<ReadFileResult> {
  // Only decoding shows that a byte order mark alone is not a line.
  const isSmall = hand.file.size <= Math.max(hand.limits.wholeBytes, LONGEST_MARK_BYTES);
  return isSmall ? readWhole(hand, context) : readPart(hand, context);
}

const LONGEST_MARK_BYTES = 4;

async function readWhole(hand: FileInHand, context: ReadContext): Promise<ReadFileResult> {
  const { encoding } = hand;
  const whole = await context.workspace.readTextFile(hand.file.path, { encoding }).catch((error) => {
    throw ToolError.is(error) && error.code === "BINARY_FILE" ? notText(hand, { cause: error }) : error;
  });
  return wholeText(whole, hand, context);
}

/** Builds the result for a file in memory. */
export function wholeText(
  whole: TextFile,
  asked: Pick<FileInHand, "args" | "limits">,
  { workspace }: Pick<ReadContext, "workspace">,
): ReadFileResult {
  const facts = { ...fileFacts(whole, workspace), kind: "text" as const, hash: whole.hash };
  return { ...facts, ...pagedText(sliceOfText(whole.text, asked.args.offset), whole, asked) };
}

async function readPart(hand: FileInHand, context: ReadContext): Promise<ReadFileResult> {
  const { file, head, args, limits } = hand;
  const { workspace } = context;
  // Counting and hashing process the whole file; for bigger files only the page is read.
  const isCounted = file.size <= limits.countedBytes;
  const hash = hand.hash ?? (isCounted ? await workspace.hashOf(file.path) : undefined);
  const { offset, limit } = args;
  const read = await readSlice({ file, head, offset, limit, limits, encoding: hand.encoding }, context);
  if (read === undefined) throw notText(hand, {});
  return {
    ...fileFacts(file, workspace),
    kind: "text",
    ...(hash === undefined ? {} : { hash }),
    ...pagedText(read.slice, read, hand),
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
