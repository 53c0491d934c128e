import type { WorkspaceStore } from "@haft/core";

/** The part of a workspace needed to read project files. */
export type ProjectReader = Pick<WorkspaceStore, "readText" | "exists" | "list" | "stat" | "absolute">;

/** Returns undefined if the file is missing, unreadable or not text. */
export async function readOr(workspace: ProjectReader, path: string): Promise<string | undefined> {
  try {
    if (!(await workspace.exists(path)) || (await workspace.stat(path)).size > MAX_READ_BYTES)
      return undefined;
    return await workspace.readText(path);
  } catch {
    return undefined;
  }
}

const MAX_READ_BYTES = 1024 * 1024;
