import { type FileStat, type TextFile, ToolError, type WorkspaceReader } from "@haft/core";
import type { TextPlace } from "@haft/text";

/** The file that exists where a tool is about to write. */
export interface ExistingFile {
  readonly stat: FileStat;
  readonly hash: string;
  /** Absent if the file is binary or too big to compare. */
  readonly text?: TextFile;
}

/** "unknown" if the role may write but not read. */
export type Existing = ExistingFile | "nothing" | "unknown";

/**
 * Throws IS_DIRECTORY or NOT_A_FILE if the existing entry cannot be written. The text may be partial if only one
 * place matters.
 */
export async function existingFile(
  path: string,
  workspace: WorkspaceReader,
  { place, encoding }: { readonly place?: TextPlace; readonly encoding?: string | undefined } = {},
): Promise<Existing> {
  try {
    const stat = await workspace.stat(path);
    assertFile(path, stat);
    const text =
      stat.size > MAX_TEXT_BYTES
        ? undefined
        : ((await partOf(path, workspace, encoding === undefined ? place : undefined)) ??
          (await textOf(path, workspace, encoding)));
    return {
      stat,
      hash: text?.hash ?? (await workspace.hashOf(path)),
      ...(text === undefined ? {} : { text }),
    };
  } catch (error) {
    if (isMissing(error)) return "nothing";
    if (lacksReadFiles(error)) return "unknown";
    throw error;
  }
}

/** Returns true for a refusal because the role may not read at all, not because this file is protected. */
export function lacksReadFiles(error: unknown): boolean {
  const missing = ToolError.is(error) ? error.details?.missing : undefined;
  return Array.isArray(missing) && missing.includes("ReadFiles");
}

/** More than a rehearsal can hold, so skipping the read loses nothing. */
const MAX_TEXT_BYTES = 20 * 1024 * 1024;

function assertFile(path: string, { type }: FileStat): void {
  if (type === "file") return;
  if (type === "directory") {
    throw new ToolError("IS_DIRECTORY", `${path} is a directory`, {
      hint: "Give the name of a file inside it.",
    });
  }
  throw new ToolError("NOT_A_FILE", `${path} is a pipe, socket or device, not a regular file`);
}

async function partOf(
  path: string,
  workspace: WorkspaceReader,
  place: TextPlace | undefined,
): Promise<TextFile | undefined> {
  return place && workspace.readTextPart?.(path, place);
}

async function textOf(
  path: string,
  workspace: WorkspaceReader,
  encoding: string | undefined,
): Promise<TextFile | undefined> {
  try {
    return await workspace.readTextFile(path, { encoding });
  } catch (error) {
    if (ToolError.is(error) && error.code === "BINARY_FILE") return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ToolError.is(error) && (error.code === "FILE_NOT_FOUND" || error.code === "PATH_NOT_FOUND");
}
