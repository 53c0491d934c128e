import { normalizePath, type WorkspaceReader } from "@haft/core";
import { dominantLineEnding, type LineEnding, withLineEnding } from "@haft/text";
import { configuredLineEnding } from "./editor-config.js";
import type { Standing } from "./standing-file.js";

export interface FittingRequest {
  readonly path: string;
  readonly content: string;
  readonly standing: Standing;
}

/**
 * Content as the file wants it. Models write "\n": a file of "\r\n" keeps its endings, and a new file
 * takes those its project asks for. "\r\n" in the content is a choice and stays.
 */
export async function fitContent(
  { path, content, standing }: FittingRequest,
  workspace: Pick<WorkspaceReader, "readText"> & { absolute(path: string): string },
): Promise<string> {
  const text = withoutSecondMark(content, standing);
  if (!text.includes("\n") || text.includes("\r\n")) return text;
  const ending =
    typeof standing === "object"
      ? endingOf(standing)
      : await configuredLineEnding(relativePath(path, workspace), workspace);
  return ending === "crlf" ? withLineEnding(text, "crlf") : text;
}

function endingOf({ text }: Exclude<Standing, string>): LineEnding | undefined {
  return text === undefined ? undefined : dominantLineEnding(text.text);
}

/** The file's own byte order mark is kept anyway. */
function withoutSecondMark(content: string, standing: Standing): string {
  const hasMark = typeof standing === "object" && standing.text?.format.bom === true;
  return hasMark && content.startsWith("\ufeff") ? content.slice(1) : content;
}

function relativePath(path: string, workspace: { absolute(path: string): string }): string {
  const root = workspace.absolute("").replace(/\/+$/, "");
  return normalizePath(path.startsWith(`${root}/`) ? path.slice(root.length) : path) ?? path;
}
