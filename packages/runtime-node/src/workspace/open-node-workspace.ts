import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { JournalLine } from "@haft/core/journal";
import type { ChangeJournalStore } from "@haft/core/stores";
import { isBelow } from "../fs/is-below.js";
import { assertPrivateState } from "../journal/private-state.js";
import {
  DEFAULT_JOURNAL_LIMITS,
  type JournalLimits,
  needsPruning,
  pruneJournal,
} from "../journal/prune-journal.js";
import { recoverCommits } from "../journal/recover-commits.js";
import { stateDirectoryOf, stateHome } from "../journal/state-directory.js";
import { WorkspaceState } from "../journal/workspace-state.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import type { CommitParts } from "./commit-parts.js";
import type { ReaderLimits } from "./node-locator.js";
import { NodeWorkspace } from "./node-workspace.js";
import { PathGuard } from "./path-guard.js";
import { PathJail } from "./path-jail.js";
import { SecretInodes } from "./secret-inodes.js";
import { asToolError, isMissing } from "./system-error.js";

export interface NodeWorkspaceOptions {
  /** The folder of the journal, the trash and the lock. Default: below the user's state directory. */
  readonly stateDirectory?: string | undefined;
  /** The environment that locates the state directory. Default: the process's. */
  readonly env?: Environment | undefined;
  /** Stores the journal of changes in place of a file in the state directory. */
  readonly changes?: ChangeJournalStore<JournalLine> | undefined;
  /** Patterns of paths whose content is inaccessible, in addition to the built-in ones. */
  readonly sensitive?: readonly string[] | undefined;
  /** Patterns of paths whose writing always needs approval, in addition to the built-in ones. */
  readonly protected?: readonly string[] | undefined;
  /** The largest file that a rehearsal may hold in memory. */
  readonly maxHeldBytes?: number | undefined;
  readonly maxWalkEntries?: number | undefined;
  /**
   * How much the journal keeps, and for how long. Default: 1 GiB and 7 days, and the newest 10 calls whatever their
   * size.
   */
  readonly journal?: JournalLimits | undefined;
  /** Works without /proc, as on systems that have none; replaced links are then a known limit. */
  readonly portable?: boolean | undefined;
}

/** Opens a folder as a workspace, after recovering from a crash. */
export async function openNodeWorkspace(
  root: string,
  options: NodeWorkspaceOptions = {},
): Promise<NodeWorkspace> {
  const jail = new PathJail(root, { portable: options.portable });
  try {
    const statePath = realPathOf(options.stateDirectory ?? stateDirectoryOf(jail.root));
    assertPrivate(statePath, options);
    const hidden = hiddenFolders({ stateDirectory: statePath, env: options.env });
    const reserved = hidden.flatMap((path) => below(path, jail.root));
    const guard = new PathGuard({ ...options, reserved });
    const state = new WorkspaceState(statePath, options.changes);
    const parts = { jail, guard, state, newFileMode: newFileMode() };
    await recoverAndPrune(parts, options.journal ?? DEFAULT_JOURNAL_LIMITS);
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

/** Recovery and pruning take the lock, so they run only if needed. */
async function recoverAndPrune(parts: CommitParts, limits: JournalLimits): Promise<void> {
  const { state } = parts;
  if (!state.exists) return;
  state.sweep();
  await state.journal.refresh();
  const records = state.journal.records();
  const isInOrder = records.every((record) => record.state !== "unfinished");
  if (isInOrder && !needsPruning(records, limits)) return;
  await state.alone(async () => {
    await recoverCommits(parts);
    await pruneJournal(state, limits);
  });
}

/** Resolves the links of a path as far as it exists. */
function realPathOf(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch (thrown) {
    if (!isMissing(thrown)) throw asToolError(thrown, path);
    return join(realPathOf(dirname(absolute)), basename(absolute));
  }
}

/**
 * Returns the state folders of this and other workspaces, with links resolved: no tool, command or sandbox may see
 * them.
 */
export function hiddenFolders({ stateDirectory, env }: StatePlace): readonly string[] {
  const homes = [stateHome(env), stateHome(), stateHome({})];
  return [...new Set([stateDirectory, ...homes].map(realPathOf))];
}

interface StatePlace {
  readonly stateDirectory: string;
  /** The environment that located the state. Default: the process's. */
  readonly env?: Environment | undefined;
}

/** Checks that only this user can write there: grants and approvals are trusted. */
function assertPrivate(statePath: string, { env, stateDirectory }: NodeWorkspaceOptions): void {
  const homes = [stateHome(env), stateHome({})].filter((home) =>
    statePath.startsWith(`${realPathOf(home)}/`),
  );
  for (const folder of [...homes, stateDirectory ?? statePath]) assertPrivateState(folder);
}

function below(path: string, root: string): readonly string[] {
  const inside = relative(root, path).split(sep).join("/");
  return inside === "" || !isBelow(root, path) ? [] : [inside];
}

const DEFAULT_MAX_HELD_BYTES = 20 * 1024 * 1024;
const DEFAULT_MAX_WALK_ENTRIES = 100_000;

/**
 * Returns the mode of a new file under the process's umask. Reads it without setting it, which other threads would
 * notice.
 */
function newFileMode(): number {
  return 0o666 & ~currentUmask();
}

function currentUmask(): number {
  try {
    const [, umask] = /^Umask:\s*([0-7]+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return umask === undefined ? COMMON_UMASK : Number.parseInt(umask, 8);
  } catch {
    return COMMON_UMASK;
  }
}

const COMMON_UMASK = 0o022;
