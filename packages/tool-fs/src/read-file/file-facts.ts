import type { FileStat } from "@haft/core";
import type { ReadFileResult } from "./read-file-schema.js";

/** What every answer of read_file says about the file, whatever its kind. */
export function fileFacts(
  file: FileStat,
  workspace: { absolute(path: string): string },
): Pick<ReadFileResult, "path" | "absolutePath" | "size" | "modified"> {
  return {
    path: file.path,
    absolutePath: workspace.absolute(file.path),
    size: file.size,
    modified: new Date(file.modifiedMs).toISOString(),
  };
}

/** The part of an answer that counts lines, for content that has none. */
export const NO_LINES = {
  encoding: "binary",
  bom: false,
  eol: "none",
  totalLines: 0,
  totalLinesExact: true,
  startLine: 0,
  endLine: 0,
  linesRead: 0,
  truncated: false,
} as const;
