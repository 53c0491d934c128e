import { type SandboxChange, ToolError, type Workspace } from "@haft/core";

/** The keys with which the work of code is recorded; where a role lacks one, that part of it is not applied. */
export const RECORDING = ["WriteFiles", "CreateFiles", "DeleteFiles"] as const;

export type RecordingWorkspace = Pick<Workspace, "writeBytes" | "createDirectory" | "createLink" | "remove">;

/** Records what code changed in its view as changes of this call; the paths that were. What cannot be is told. */
export async function recordChanges(
  workspace: RecordingWorkspace,
  changes: readonly SandboxChange[],
  warn: (message: string) => void,
): Promise<string[]> {
  const recorded = new Set<string>();
  for (const change of changes) {
    try {
      await record(workspace, change);
      recorded.add(change.path);
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      warn(`${change.path} was left as it is in the workspace: ${error.message}`);
    }
  }
  return [...recorded].sort();
}

async function record(workspace: RecordingWorkspace, change: SandboxChange): Promise<unknown> {
  switch (change.kind) {
    case "file":
      return workspace.writeBytes(change.path, change.bytes, { mode: change.mode });
    case "directory":
      return workspace.createDirectory(change.path);
    case "symlink":
      return workspace.createLink(change.path, change.target);
    case "delete":
      return workspace.remove(change.path, { recursive: true });
  }
}
