import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import {
  DEFAULT_JOURNAL_LIMITS,
  type JournalLimits,
  needsPruning,
  pruneJournal,
} from "../journal/prune-journal.js";
import { recoverCommits } from "../journal/recover-commits.js";
import { stateDirectoryOf, stateHome } from "../journal/state-directory.js";
import { WorkspaceState } from "../journal/workspace-state.js";
import type { CommitParts } from "./commit-parts.js";
import { newFileMode } from "./new-file-mode.js";
import type { ReaderLimits } from "./node-locator.js";
import { NodeWorkspace } from "./node-workspace.js";
import { PathGuard } from "./path-guard.js";
import { PathJail } from "./path-jail.js";
import { SecretInodes } from "./secret-inodes.js";
import { asToolError, isMissing } from "./system-error.js";

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
  /** How much and how long the journal keeps; default 1 GiB and 7 days, and the newest 10 calls whatever their size. */
  readonly journal?: JournalLimits | undefined;
  /** Do without /proc, as on systems that have none; then swapped links are a known limit. */
  readonly portable?: boolean | undefined;
}

/** Opens a folder as a workspace; what a crash left unfinished is put in order first. */
export async function openNodeWorkspace(
  root: string,
  options: NodeWorkspaceOptions = {},
): Promise<NodeWorkspace> {
  const jail = new PathJail(root, { portable: options.portable });
  try {
    const statePath = realPathOf(options.stateDirectory ?? stateDirectoryOf(jail.root));
    const guard = new PathGuard({ ...options, reserved: reservedPaths(statePath, jail.root) });
    const state = new WorkspaceState(statePath);
    const parts = { jail, guard, state, newFileMode: newFileMode() };
    await putInOrder(parts, options.journal ?? DEFAULT_JOURNAL_LIMITS);
    const keepers = { jail, guard, secrets: new SecretInodes(guard) };
    return new NodeWorkspace(keepers, limitsOf(options), parts);
  } catch (thrown) {
    jail.close();
    throw thrown;
  }
}

function limitsOf(options: NodeWorkspaceOptions): ReaderLimits {
  return {
    maxHeldBytes: options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES,
    maxWalkEntries: options.maxWalkEntries ?? DEFAULT_MAX_WALK_ENTRIES,
  };
}

/** Recovery and pruning take the lock, so they are only done when there is something to do. */
async function putInOrder(parts: CommitParts, limits: JournalLimits): Promise<void> {
  const { state } = parts;
  if (!state.exists) return;
  state.sweep();
  state.journal.refresh();
  const records = state.journal.records();
  const isInOrder = records.every((record) => record.state !== "unfinished");
  if (isInOrder && !needsPruning(records, limits)) return;
  await state.alone(async () => {
    await recoverCommits(parts);
    await pruneJournal(state, limits);
  });
}

/** A path with links resolved as far as it exists. */
function realPathOf(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch (thrown) {
    if (!isMissing(thrown)) throw asToolError(thrown, path);
    return join(realPathOf(dirname(absolute)), basename(absolute));
  }
}

/** The state of every workspace is out of reach: what another one remembers as allowed must not be written here. */
function reservedPaths(statePath: string, root: string): readonly string[] {
  const homes = [stateHome(), stateHome({})].map(realPathOf);
  return [statePath, ...homes].flatMap((path) => below(path, root));
}

function below(path: string, root: string): readonly string[] {
  const inside = relative(root, path);
  return inside === "" || inside === ".." || inside.startsWith("../") ? [] : [inside];
}

const DEFAULT_MAX_HELD_BYTES = 20 * 1024 * 1024;
const DEFAULT_MAX_WALK_ENTRIES = 100_000;
