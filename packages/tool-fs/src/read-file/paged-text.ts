import { ToolError } from "@haft/core";
import type { DetectedEncoding } from "@haft/text";
import { countOf } from "@haft/text";
import type { ReadFileArgs, ReadFileResult } from "./read-file-schema.js";
import { LINE_CHARS, type ReadLimits } from "./read-limits.js";
import { pageOf } from "./text-page.js";
import type { TextSlice } from "./text-slice.js";

export type PagedText = Pick<
  ReadFileResult,
  | "content"
  | "encoding"
  | "encodingGuessed"
  | "encodingDoubt"
  | "bom"
  | "eol"
  | "totalLines"
  | "totalLinesExact"
  | "startLine"
  | "endLine"
  | "linesRead"
  | "truncated"
  | "nextOffset"
  | "cutChars"
>;

/** Returns the page of a slice for one call. Throws INVALID_RANGE for an offset past the end. */
export function pagedText(
  slice: TextSlice,
  { format, doubt }: DetectedEncoding,
  { args, limits }: { readonly args: ReadFileArgs; readonly limits: ReadLimits },
): PagedText {
  if (slice.text === "" && args.offset > 1) throw pastTheEnd(args, slice.totalLines);
  const page = pageOf(slice, {
    lines: args.limit,
    bytes: limits.pageBytes,
    tokens: limits.pageTokens,
    lineChars: LINE_CHARS,
  });
  return {
    content: page.content,
    encoding: format.encoding,
    ...(doubt === undefined ? {} : { encodingGuessed: true, encodingDoubt: doubt }),
    bom: format.bom,
    eol: slice.eol,
    totalLines: slice.totalLines,
    totalLinesExact: slice.totalLinesExact,
    startLine: page.linesRead === 0 ? 0 : page.startLine,
    endLine: page.linesRead === 0 ? 0 : page.endLine,
    linesRead: page.linesRead,
    truncated: page.hasMore || page.cutChars > 0,
    ...(page.hasMore ? { nextOffset: page.endLine + 1 } : {}),
    ...(page.cutChars > 0 ? { cutChars: page.cutChars } : {}),
  };
}

function pastTheEnd(args: ReadFileArgs, totalLines: number): ToolError {
  return new ToolError(
    "INVALID_RANGE",
    `Offset ${args.offset} is out of range for this file (${countOf(totalLines, "line")})`,
    {
      hint:
        totalLines === 0
          ? "The file is empty."
          : `Valid offsets are 1 to ${totalLines}, or -${totalLines} to -1.`,
      details: { totalLines },
      ...(totalLines === 0
        ? {}
        : {
            next: { tool: "read_file", args: { path: args.path, offset: -Math.min(LAST_LINES, totalLines) } },
          }),
    },
  );
}

const LAST_LINES = 200;
