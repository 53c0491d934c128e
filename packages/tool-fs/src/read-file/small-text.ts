import type { FileStat, TextFile, WorkspaceReader } from "@haft/core";
import { fileKind } from "./file-kind.js";

/**
 * A small file that is plain text, in one read: what most calls ask for. Undefined where its first bytes
 * or its failure have something else to tell.
 */
export async function smallText(
  { path, size }: FileStat,
  workspace: Pick<WorkspaceReader, "readTextFile">,
): Promise<TextFile | undefined> {
  if (size > SMALL_BYTES || TOLD_BY_NAME.test(path)) return undefined;
  const whole = await workspace.readTextFile(path).catch(() => undefined);
  return whole !== undefined && isPlain(whole) ? whole : undefined;
}

/** In UTF-8 without a mark the first bytes are those of the first characters, so that they tell the same. */
function isPlain({ text, format, path }: TextFile): boolean {
  if (format.encoding !== "utf-8" || format.bom) return false;
  return fileKind(new TextEncoder().encode(text.slice(0, SIGNATURE_CHARS)), path).kind === "text";
}

const SMALL_BYTES = 64 * 1024;
/** Readers look further into these than for a signature. */
const TOLD_BY_NAME = /\.(?:pdf|ipynb)$/i;
const SIGNATURE_CHARS = 16;
