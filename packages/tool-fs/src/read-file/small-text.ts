import type { FileStat, TextFile, WorkspaceReader } from "@haft/core";
import { fileKind } from "./file-kind.js";

/**
 * Reads a small plain-text file in one call, the most common case. Undefined if its first bytes or an error require
 * the general path.
 */
export async function smallText(
  { path, size }: FileStat,
  workspace: Pick<WorkspaceReader, "readTextFile">,
): Promise<TextFile | undefined> {
  if (size > SMALL_BYTES || TOLD_BY_NAME.test(path)) return undefined;
  const whole = await workspace.readTextFile(path).catch(() => undefined);
  return whole !== undefined && isPlain(whole) ? whole : undefined;
}

/**
 * In UTF-8 without a byte order mark, the first bytes are those of the first characters, so both give the same
 * answer.
 */
function isPlain({ text, format, path }: TextFile): boolean {
  if (format.encoding !== "utf-8" || format.bom) return false;
  return fileKind(new TextEncoder().encode(text.slice(0, SIGNATURE_CHARS)), path).kind === "text";
}

const SMALL_BYTES = 64 * 1024;
/** These formats are detected beyond the signature. */
const TOLD_BY_NAME = /\.(?:pdf|ipynb)$/i;
const SIGNATURE_CHARS = 16;
