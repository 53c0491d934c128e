import type { ContextOf, FileStat } from "@haft/core";
import {
  createTextStreamDecoder,
  DecodingError,
  type DetectedEncoding,
  detectLineEnding,
  inspectEncoding,
  looksBinary,
  type TextFormat,
} from "@haft/text";
import { bytesFrom } from "./known-bytes.js";
import { alignedChunks, newlineUnit } from "./newline-unit.js";
import type { ReadLimits } from "./read-limits.js";
import { lastBlockStart, scanBackward } from "./scan-backward.js";
import { type ScannedLines, scanForward } from "./scan-forward.js";
import { encodingOfSlice } from "./slice-encoding.js";
import type { TextSlice } from "./text-slice.js";

export interface SliceRequest {
  readonly file: FileStat;
  /** The first bytes of the file, used to detect its encoding; they often contain the requested lines. */
  readonly head: Uint8Array;
  readonly offset: number;
  readonly limit: number;
  readonly limits: ReadLimits;
  /** The encoding named by the caller. */
  readonly encoding?: string | undefined;
}

export type ReadContext = Pick<ContextOf<{ permissions: readonly ["ReadFiles"] }>, "workspace" | "signal">;

/**
 * Reads lines of a file too big to hold in memory: forward to the requested lines, or backward from the end, decoding
 * only those. Undefined if they are not text.
 */
export async function readSlice(
  request: SliceRequest,
  context: ReadContext,
): Promise<(DetectedEncoding & { slice: TextSlice }) | undefined> {
  const detected = await encodingOfSlice(request, context);
  if (detected === undefined) return undefined;
  const { format } = detected;
  const found =
    request.offset < 0 ? await fromEnd(request, format, context) : await fromStart(request, format, context);
  const decoded = found === undefined ? undefined : decode(found, detected);
  if (found === undefined || decoded === undefined) return undefined;
  const { text, ...encoding } = decoded;
  return { slice: sliceOf(found, text), ...encoding };
}

const SNIFFED_BYTES = 8 * 1024;

/** The lines found, and their position in the file. */
interface FoundLines {
  readonly lines: ScannedLines;
  /** Whether they start the file, where a byte order mark may be. */
  readonly isStart: boolean;
  readonly firstLine: number;
  readonly totalLines: number;
  readonly totalLinesExact: boolean;
}

async function fromStart(
  { file, head, offset, limit, limits }: SliceRequest,
  format: TextFormat,
  { workspace }: ReadContext,
): Promise<FoundLines> {
  const unit = newlineUnit(format.encoding);
  const skipLines = Math.max(1, offset) - 1;
  const bytes = bytesFrom(0, { start: 0, bytes: head }, { file, workspace });
  const lines = await scanForward(chunksOf(bytes, format), {
    ...keeping(limit, limits, unit.width),
    skipLines,
    countAll: file.size <= limits.countedBytes,
    unit,
  });
  return {
    lines,
    isStart: skipLines === 0,
    firstLine: skipLines + 1,
    totalLines: lines.lines,
    totalLinesExact: lines.atEnd,
  };
}

/** Returns undefined if the file does not end in text, for example after a crash left a hole. */
async function fromEnd(
  { file, offset, limit, limits }: SliceRequest,
  format: TextFormat,
  { workspace, signal }: ReadContext,
): Promise<FoundLines | undefined> {
  const unit = newlineUnit(format.encoding);
  const start = lastBlockStart(file.size);
  const last = { start, bytes: await workspace.readBytes(file.path, { start, end: file.size }) };
  if (unit.width === 1 && looksBinary(last.bytes.subarray(-SNIFFED_BYTES))) return undefined;
  const tail = await scanBackward({
    size: file.size,
    lines: -offset,
    unit,
    signal,
    read: async (range) => (range.start === start ? last.bytes : workspace.readBytes(file.path, range)),
  });
  const lines = await scanForward(chunksOf(bytesFrom(tail.start, last, { file, workspace }), format), {
    ...keeping(limit, limits, unit.width),
    skipLines: 0,
    countAll: false,
    unit,
  });
  const before =
    file.size > limits.countedBytes && tail.start > 0
      ? undefined
      : await countLinesBefore(tail.start, { file, format, workspace });
  return {
    lines,
    isStart: tail.start === 0,
    firstLine: before === undefined ? -tail.lines : before + 1,
    totalLines: (before ?? 0) + tail.lines,
    totalLinesExact: before !== undefined,
  };
}

async function countLinesBefore(
  end: number,
  source: { file: FileStat; format: TextFormat; workspace: ReadContext["workspace"] },
): Promise<number> {
  if (end === 0) return 0;
  const chunks = chunksOf(
    source.workspace.stream(source.file.path, { start: 0, end, passing: true }),
    source.format,
  );
  const counted = await scanForward(chunks, {
    skipLines: 0,
    maxLines: 0,
    maxBytes: 0,
    maxTailBytes: 0,
    countAll: true,
    unit: newlineUnit(source.format.encoding),
  });
  return counted.lines;
}

function chunksOf(stream: AsyncIterable<Uint8Array>, format: TextFormat): AsyncIterable<Uint8Array> {
  const unit = newlineUnit(format.encoding);
  return unit.width === 1 ? stream : alignedChunks(stream, unit);
}

function keeping(limit: number, limits: ReadLimits, width: number) {
  // One unit more than a page, to detect a line that just does not fit.
  const maxBytes = (limits.pageBytes + 1) * width;
  return { maxLines: limit, maxBytes, maxTailBytes: MAX_TAIL_BYTES };
}

const MAX_TAIL_BYTES = 64 * 1024 * 1024;

/** Lines that do not match the encoding of the file's start may be text in another. */
function decode(
  { lines, isStart }: FoundLines,
  detected: DetectedEncoding,
): (DetectedEncoding & { text: string }) | undefined {
  const { format } = detected;
  const text = tryDecode(lines, isStart ? format : { ...format, bom: false });
  if (text !== undefined) return { text, ...detected };
  const other = inspectEncoding(lines.bytes, { partial: lines.isCut });
  const again = other === undefined ? undefined : tryDecode(lines, other.format);
  if (other === undefined || again === undefined) return undefined;
  return { text: again, ...other, doubt: `other lines of the file are ${format.encoding}` };
}

function tryDecode({ bytes, isCut }: ScannedLines, format: TextFormat): string | undefined {
  const decoder = createTextStreamDecoder(format);
  try {
    // A truncated line may end inside a character, which is dropped.
    return decoder.decode(bytes) + (isCut ? "" : decoder.end());
  } catch (error) {
    if (DecodingError.is(error)) return undefined;
    throw error;
  }
}

function sliceOf(found: FoundLines, text: string): TextSlice {
  const { lines, firstLine, totalLines, totalLinesExact } = found;
  // Only the first line may be truncated; later ones move to the next page.
  const wholeEnd = lines.isCut ? text.lastIndexOf("\n") + 1 : text.length;
  const isTrimmed = wholeEnd > 0 && wholeEnd < text.length;
  return {
    text: isTrimmed ? text.slice(0, wholeEnd) : text,
    firstLine,
    atEnd: lines.keptToEnd && !isTrimmed,
    unreadBytes: isTrimmed ? 0 : lines.unreadBytes,
    eol: detectLineEnding(text),
    totalLines,
    totalLinesExact,
  };
}
