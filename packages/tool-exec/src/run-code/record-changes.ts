import { ToolError, type Workspace } from "@haft/core";
import type { SandboxChange, SandboxOutcome } from "@haft/core/capabilities";
import { showPath } from "@haft/core/workspace";

/** The permissions that record changes of code. If a role lacks one, that part is not applied. */
export const RECORDING = ["WriteFiles", "CreateFiles", "DeleteFiles"] as const;

export type RecordingWorkspace = Pick<
  Workspace,
  "writeBytes" | "setDirectoryMode" | "createDirectory" | "createLink" | "remove" | "move"
>;

/**
 * Records the changes of code as changes of this call and returns their paths. Reports those that cannot be recorded,
 * and then deletes nothing: a file that was moved to a forbidden place is still at its old one.
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
      if (change.kind === "move") recorded.add(change.from);
      return true;
    } catch (error) {
      // The old entry is already recorded as deleted: half of a replacement is worse than failing the call.
      if (!ToolError.is(error) || recorded.has(change.path)) throw error;
      warn(`${showPath(change.path)} was left as it is in the workspace: ${error.message}`);
      return false;
    }
  };
  const { opened, made, taken, closed } = parted(changes);
  let isWhole = !isPartial;
  for (const change of [...opened, ...made]) isWhole = (await attempt(change)) && isWhole;
  for (const change of taken) {
    if (isWhole) await attempt(change);
    else
      warn(
        `${showPath(change.path)} was not deleted, because something else the code did could not be applied`,
      );
  }
  for (const change of closed) await attempt(change);
  return [...recorded].sort();
}

/**
 * Orders changes: folders that become writable first, folders that become closed last, inner before outer, because
 * everything else happens inside them. Created entries include deletions that make room for them.
 */
function parted(
  changes: readonly SandboxChange[],
): Record<"opened" | "made" | "taken" | "closed", readonly SandboxChange[]> {
  const places = new Set(changes.filter(({ kind }) => kind !== "delete").map(({ path }) => path));
  const isTaken = ({ kind, path }: SandboxChange) => kind === "delete" && !places.has(path);
  const modes = changes.filter((change) => change.kind === "mode");
  const closings = changes.flatMap((change) =>
    "mode" in change && change.kind !== "file" && isClosed(change.mode)
      ? [{ kind: "mode", path: change.path, mode: change.mode } as const]
      : [],
  );
  return {
    opened: modes.filter(({ mode }) => !isClosed(mode)),
    made: changes.filter((change) => change.kind !== "mode" && !isTaken(change)),
    taken: changes.filter(isTaken),
    closed: closings.sort((a, b) => (a.path < b.path ? 1 : -1)),
  };
}

/** Returns whether only root can create entries in a folder. */
function isClosed(mode: number | undefined): mode is number {
  return mode !== undefined && (mode & OWNER) !== OWNER;
}

const OWNER = 0o700;

async function record(workspace: RecordingWorkspace, change: SandboxChange): Promise<unknown> {
  switch (change.kind) {
    case "file":
      return workspace.writeBytes(change.path, change.bytes, change);
    case "directory":
      return workspace.createDirectory(change.path, writable(change.mode));
    case "mode":
      return workspace.setDirectoryMode(change.path, change.mode);
    case "symlink":
      return workspace.createLink(change.path, change.target);
    case "move":
      return workspace.move(change.from, change.path);
    case "delete":
      return workspace.remove(change.path, { recursive: true });
  }
}

/** A new folder gets its entries before it is closed. */
function writable(mode: number | undefined): { readonly mode?: number } {
  return mode === undefined ? {} : { mode: mode | OWNER };
}
