import type { WorkspaceReader } from "@haft/core";
import type { WorkspaceAnchor } from "@haft/core/workspace";
import { type Existing, lacksReadFiles } from "./existing-file.js";
import type { WriteResult } from "./write-schema.js";

export interface Written {
  readonly path: string;
  readonly existing: Existing;
  /** The size to report if the role may not read the file. */
  readonly sizeIfUnknown: number;
}

/** Builds the result of a write from the rehearsal: actual bytes, not characters of the arguments. */
export async function writeResult(
  { path, existing, sizeIfUnknown }: Written,
  workspace: WorkspaceAnchor & WorkspaceReader,
): Promise<WriteResult> {
  const now = await readBack(path, workspace);
  if (now === undefined) return unseen(path, sizeIfUnknown, workspace);
  const before = typeof existing === "object" ? existing.hash : undefined;
  const changed = before !== now.hash;
  return {
    path: now.path,
    absolutePath: workspace.absolute(now.path),
    size: now.size,
    bytesWritten: changed ? now.size : 0,
    created: existing === "nothing",
    changed,
    hash: now.hash,
  };
}

async function readBack(path: string, workspace: WorkspaceReader) {
  try {
    const stat = await workspace.stat(path);
    return { path: stat.path, size: stat.size, hash: await workspace.hashOf(path) };
  } catch (error) {
    if (lacksReadFiles(error)) return undefined;
    throw error;
  }
}

function unseen(path: string, size: number, workspace: WorkspaceAnchor): WriteResult {
  return {
    path,
    absolutePath: workspace.absolute(path),
    size,
    bytesWritten: size,
    created: false,
    changed: true,
  };
}
