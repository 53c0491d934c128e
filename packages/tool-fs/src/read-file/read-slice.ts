import type { ContextOf, FileStat } from "@haft/core";
import {
  createTextStreamDecoder,
  DecodingError,
  detectEncoding,
  detectLineEnding,
  looksBinary,
  type TextFormat,
} from "@haft/text";
import { bytesFrom } from "./known-bytes.js";
import { alignedChunks, newlineUnit } from "./newline-unit.js";
import type { ReadLimits } from "./read-limits.js";
import { lastBlockStart, scanBackward } from "./scan-backward.js";
import { type ScannedLines, scanForward } from "./scan-forward.js";
import type { TextSlice } from "./text-slice.js";

export interface SliceRequest {
  readonly file: FileStat;
  /** The first bytes of the file, by which its encoding is told; often they hold the lines as well. */
  readonly head: Uint8Array;
  readonly offset: number;
  readonly limit: number;
  readonly limits: ReadLimits;
}

export type ReadContext = Pick<ContextOf<{ permissions: readonly ["ReadFiles"] }>, "workspace" | "signal">;

/**
 * Lines of a file that is too big to be held. Reads forward to the lines asked for, or back from the
 * end, and decodes those alone. Undefined when they are not text.
 */
export async function readSlice(
  request: SliceRequest,
  context: ReadContext,
): Promise<{ slice: TextSlice; format: TextFormat } | undefined> {
  const format = formatOf(request);
  if (format === undefined) return undefined;
  const found =
    request.offset < 0 ? await fromEnd(request, format, context) : await fromStart(request, format, context);
  const decoded = found === undefined ? undefined : decode(found, format);
  if (found === undefined || decoded === undefined) return undefined;
  return { slice: sliceOf(found, decoded.text), format: decoded.format };
}

/** Unicode is told from little; a legacy encoding is a guess that gets better with more. */
function formatOf({ head, file }: SliceRequest): TextFormat | undefined {
  const first = head.subarray(0, SNIFFED_BYTES);
  const format = detectEncoding(first, { partial: first.length < file.size });
  if (format === undefined || format.encoding.startsWith("utf-")) return format;
  return detectEncoding(head.subarray(0, SAMPLED_BYTES), { partial: head.length < file.size });
}

const SNIFFED_BYTES = 8 * 1024;
const SAMPLED_BYTES = 64 * 1024;

/** Kept lines with what is known about the place where they stand. */
interface FoundLines {
  readonly lines: ScannedLines;
  /** Whether they are the first of the file, where a byte order mark may stand. */
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

/** Undefined when the file does not end in text, like a log that a crash left with a hole. */
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
  // One unit more than a page, so that a line that just does not fit is not taken for one that does.
  const maxBytes = (limits.pageBytes + 1) * width;
  return { maxLines: limit, maxBytes, maxTailBytes: MAX_TAIL_BYTES };
}

const MAX_TAIL_BYTES = 64 * 1024 * 1024;

/** Lines that are not in the encoding the file starts with may still be text in another. */
function decode(
  { lines, isStart }: FoundLines,
  format: TextFormat,
): { text: string; format: TextFormat } | undefined {
  const text = tryDecode(lines, isStart ? format : { ...format, bom: false });
  if (text !== undefined) return { text, format };
  const other = detectEncoding(lines.bytes, { partial: lines.isCut });
  const again = other === undefined ? undefined : tryDecode(lines, other);
  return other === undefined || again === undefined ? undefined : { text: again, format: other };
}

function tryDecode({ bytes, isCut }: ScannedLines, format: TextFormat): string | undefined {
  const decoder = createTextStreamDecoder(format);
  try {
    // A line that was cut may have been cut inside a character; that character is left out.
    return decoder.decode(bytes) + (isCut ? "" : decoder.end());
  } catch (error) {
    if (DecodingError.is(error)) return undefined;
    throw error;
  }
}

function sliceOf(found: FoundLines, text: string): TextSlice {
  const { lines, firstLine, totalLines, totalLinesExact } = found;
  // Only the first line may be cut: a later one is left to the next page.
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
