import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { stateDirectoryOf } from "../journal/state-directory.js";
import { newFileMode } from "./new-file-mode.js";
import { NodeWorkspace } from "./node-workspace.js";
import { PathGuard } from "./path-guard.js";
import { PathJail } from "./path-jail.js";
import { SecretInodes } from "./secret-inodes.js";
import { Trash } from "./trash.js";

export interface NodeWorkspaceOptions {
  /** Where the journal, the trash and the lock lie; default: below the user's state directory. */
  readonly stateDirectory?: string | undefined;
  /** Patterns of paths whose content is out of reach, beside the built-in ones. */
  readonly sensitive?: readonly string[] | undefined;
  /** Patterns of paths whose writing always asks, beside the built-in ones. */
  readonly protected?: readonly string[] | undefined;
  /** How many bytes of one file a rehearsal may hold. */
  readonly maxHeldBytes?: number | undefined;
  readonly maxWalkEntries?: number | undefined;
  /** Do without /proc, as on systems that have none; then swapped links are a known limit. */
  readonly portable?: boolean | undefined;
}

/** Opens a folder as a workspace; what a crash left unfinished is put in order first. */
export async function openNodeWorkspace(
  root: string,
  options: NodeWorkspaceOptions = {},
): Promise<NodeWorkspace> {
  const jail = new PathJail(root, { portable: options.portable });
  const stateDirectory = options.stateDirectory ?? stateDirectoryOf(jail.root);
  const guard = new PathGuard({ ...options });
  const trashPath = join(stateDirectory, "trash");
  mkdirSync(trashPath, { recursive: true, mode: 0o700 });
  const limits = {
    maxHeldBytes: options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES,
    maxWalkEntries: options.maxWalkEntries ?? DEFAULT_MAX_WALK_ENTRIES,
  };
  const parts = { jail, trash: new Trash(trashPath), newFileMode: newFileMode() };
  return new NodeWorkspace({ jail, guard, secrets: new SecretInodes(guard) }, limits, parts);
}

const DEFAULT_MAX_HELD_BYTES = 20 * 1024 * 1024;
const DEFAULT_MAX_WALK_ENTRIES = 100_000;
