import { type SandboxChange, type SandboxOutcome, ToolError, type Workspace } from "@haft/core";

/** The keys with which the work of code is recorded; where a role lacks one, that part of it is not applied. */
export const RECORDING = ["WriteFiles", "CreateFiles", "DeleteFiles"] as const;

export type RecordingWorkspace = Pick<Workspace, "writeBytes" | "createDirectory" | "createLink" | "remove">;

/**
 * Records what code changed in its view as changes of this call; the paths that were. What cannot be is told, and then
 * nothing is deleted: a file that was moved to where it may not be is still where it was.
 */
export async function recordChanges(
  workspace: RecordingWorkspace,
  { changes, isPartial = false }: Pick<SandboxOutcome, "changes" | "isPartial">,
  warn: (message: string) => void,
): Promise<string[]> {
  const recorded = new Set<string>();
  const attempt = async (change: SandboxChange): Promise<boolean> => {
    try {
      await record(workspace, change);
      recorded.add(change.path);
      return true;
    } catch (error) {
      // What stood there is recorded as gone already: half of that is worse than none of the call.
      if (!ToolError.is(error) || recorded.has(change.path)) throw error;
      warn(`${change.path} was left as it is in the workspace: ${error.message}`);
      return false;
    }
  };
  const { made, taken } = parted(changes);
  let isWhole = !isPartial;
  for (const change of made) isWhole = (await attempt(change)) && isWhole;
  for (const change of taken) {
    if (isWhole) await attempt(change);
    else warn(`${change.path} was not deleted, because something else the code did could not be applied`);
  }
  return [...recorded].sort();
}

/** What code made, with what it took away to put something else there, and what it only took away. */
function parted(changes: readonly SandboxChange[]): Record<"made" | "taken", readonly SandboxChange[]> {
  const places = new Set(changes.filter(({ kind }) => kind !== "delete").map(({ path }) => path));
  const isTaken = ({ kind, path }: SandboxChange) => kind === "delete" && !places.has(path);
  return { made: changes.filter((change) => !isTaken(change)), taken: changes.filter(isTaken) };
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
