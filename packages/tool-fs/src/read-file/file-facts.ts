import type { FileStat } from "@haft/core";
import type { ReadFileResult } from "./read-file-schema.js";

/** The facts that every read_file result reports about the file, whatever its kind. */
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

/** The line-count fields of a result for content without lines. */
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
