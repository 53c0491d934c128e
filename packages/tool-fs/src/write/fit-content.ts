import type { WorkspaceReader } from "@haft/core";
import { editorConfigValue, namedFormat, relativePath } from "@haft/core/workspace";
import { dominantLineEnding, type LineEnding, type TextFormat, withLineEnding } from "@haft/text";
import type { Existing } from "./existing-file.js";

interface FittingRequest {
  readonly path: string;
  readonly content: string;
  readonly existing: Existing;
}

/**
 * Adapts content to the file. Models write "\n": a "\r\n" file keeps its endings, and a new file takes those its
 * project requires. "\r\n" in the content is deliberate and stays.
 */
export async function fitContent(
  { path, content, existing }: FittingRequest,
  workspace: Pick<WorkspaceReader, "readText"> & { absolute(path: string): string },
): Promise<string> {
  const text = withoutSecondMark(content, existing);
  if (!text.includes("\n") || text.includes("\r\n")) return text;
  const ending =
    typeof existing === "object"
      ? endingOf(existing)
      : await editorConfigValue(relativePath(path, workspace), "end_of_line", workspace);
  return ending === "crlf" ? withLineEnding(text, "crlf") : text;
}

/** Returns the format to write in if the caller names an encoding. */
export function formatOption(encoding: string | undefined): { readonly format?: TextFormat } {
  const format = encoding === "base64" ? undefined : namedFormat(encoding);
  return format === undefined ? {} : { format };
}

function endingOf({ text }: Exclude<Existing, string>): LineEnding | undefined {
  return text === undefined ? undefined : dominantLineEnding(text.text);
}

/** Removes a byte order mark from the content if the file already has one, which is kept. */
function withoutSecondMark(content: string, existing: Existing): string {
  const hasMark = typeof existing === "object" && existing.text?.format.bom === true;
  return hasMark && content.startsWith("\ufeff") ? content.slice(1) : content;
}
