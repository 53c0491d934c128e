import { HeldDirectory } from "../workspace/held-directory.js";
import { errnoOf } from "../workspace/system-error.js";

/** Opens a folder and keeps it open. Returns undefined if it was removed or is no longer a directory. */
export function holdIfThere(open: () => HeldDirectory): HeldDirectory | undefined {
  try {
    return open();
  } catch (error) {
    if (errnoOf(error) === "EMFILE" || errnoOf(error) === "ENFILE") throw error;
    return undefined;
  }
}

interface FolderBelow {
  /** Relative to the root. */
  readonly path: string;
  readonly name: string;
  /** The parent folder, if it is held open. */
  readonly above: HeldDirectory | undefined;
}

/** Opens a folder from its parent, or name by name from the root, without following links. */
export function openBelow(root: string, { path, name, above }: FolderBelow): HeldDirectory {
  if (above !== undefined) return above.openDirectory(name);
  let held = HeldDirectory.open(root);
  for (const part of path.split("/")) {
    const outer = held;
    try {
      held = outer.openDirectory(part);
    } finally {
      outer.close();
    }
  }
  return held;
}
