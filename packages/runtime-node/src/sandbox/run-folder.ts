import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { textIfReadable } from "../fs/if-readable.js";
import { isOwned, keepLock, type LockOwner, readLockOwner } from "../journal/lock-file.js";
import { makeFolder } from "../journal/make-folder.js";
import { isAlive, ownIdentity, RENEW_MS } from "../journal/process-identity.js";
import { removeTree } from "./remove-tree.js";
import { removeSeal } from "./sealed-names.js";
import { removeStaleLocks } from "./stale-locks.js";

interface RunFolderOptions {
  /** Paths in repositories that are made for the run (`makeSeal`). If this process is killed, the next sweep removes them. */
  readonly guards?: readonly string[] | undefined;
}

/** Creates a private folder for one run. Removes the folders of dead processes in the background. */
export function makeRunFolder(parent: string, { guards }: RunFolderOptions = {}): string {
  makeFolder(parent);
  sweepRunFolders(parent);
  const nonce = randomUUID();
  const folder = join(parent, `${process.pid}-${nonce}`);
  // It gets its name when it names its owner: until then, other processes could take it for abandoned.
  const unnamed = join(parent, `new-${nonce}`);
  mkdirSync(unnamed, { mode: 0o700 });
  writeFileSync(join(unnamed, OWNER), JSON.stringify({ ...ownIdentity(), nonce }), { mode: 0o600 });
  if (guards !== undefined) writeFileSync(join(unnamed, GUARDS), JSON.stringify(guards), { mode: 0o600 });
  renameSync(unnamed, folder);
  kept.set(folder, keepLock(join(folder, OWNER)));
  return folder;
}

/** Ends the renewal of each folder's owner, which tells processes in other containers that this one is alive. */
const kept = new Map<string, () => void>();

/** Names the owner like a lock file. */
const OWNER = "owner.json";
const GUARDS = "guards.json";
/** The record of the folders that a run shares with the workspace (`recordShared`). */
export const SHARED = "shared.json";

/** Removes the leftovers of dead processes: guards at once, folders in the background. */
export function sweepRunFolders(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    // The next start needs the record of shared folders first.
    if (!isAbandoned(parent, name) || existsSync(join(parent, name, SHARED))) continue;
    removeLocksOf(join(parent, name));
    releaseGuards(join(parent, name));
    void removeRunFolder(join(parent, name));
  }
}

/** Removes the locks of a killed run. Its owner was renewed until the process died, so a lock of later is not its own. */
function removeLocksOf(folder: string): void {
  const repositories = new Set(guardsIn(folder).map((path) => dirname(path)));
  const [startedAtMs, renewedAtMs] = [GUARDS, OWNER].map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs,
  );
  if (startedAtMs === undefined || renewedAtMs === undefined) return;
  const run = { startedAtMs, endedAtMs: renewedAtMs + 2 * RENEW_MS };
  for (const repository of repositories) removeStaleLocks(repository, run);
}

/** Removes the guards of a run that no other run needs. Returns those that were replaced by something else. */
export function releaseGuards(folder: string): readonly string[] {
  const guards = guardsIn(folder);
  if (guards.length === 0) return [];
  rmSync(join(folder, GUARDS), { force: true });
  const needed = liveGuards(dirname(folder));
  return guards.filter((path) => !needed.has(path)).flatMap(removeSeal);
}

/** The guards of all runs of live processes. */
export function liveGuards(parent: string): ReadonlySet<string> {
  if (!existsSync(parent)) return new Set();
  const live = readdirSync(parent).filter((name) => RUN.test(name) && !isAbandoned(parent, name));
  return new Set(live.flatMap((name) => guardsIn(join(parent, name))));
}

function guardsIn(folder: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(textIfReadable(join(folder, GUARDS)) ?? "");
    return Array.isArray(read) ? read.filter((path) => typeof path === "string") : [];
  } catch {
    // The list is missing or incomplete: the command had not started.
    return [];
  }
}

/**
 * Removes the folder. Settles when it is gone, or after a moment, continuing in the background. A later run retries
 * failures.
 */
export async function removeRunFolder(folder: string): Promise<void> {
  const isStarted = removing.has(folder);
  if (isStarted) return;
  removing.add(folder);
  const removal = removeOwnerLast(folder)
    .catch(() => {})
    .finally(() => removing.delete(folder));
  await Promise.race([removal, delay(PATIENCE_MS, undefined, { ref: false })]);
}

/** Without its owner, what an interrupted removal leaves would stay for as long as any process has the same number. */
async function removeOwnerLast(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  disown(folder);
  await removeTree(folder);
}

function disown(folder: string): void {
  try {
    kept.get(folder)?.();
  } catch {
    // The folder is already gone.
  }
  kept.delete(folder);
}

const PATIENCE_MS = 100;
/** Two sweeps of one folder would interfere with each other. */
const removing = new Set<string>();

const RUN = /^(\d+)-[0-9a-f-]{36}$/;

/** Returns whether it names the folder of a run whose process is dead. Folders of version 0.1 name no owner. */
export function isAbandoned(parent: string, name: string): boolean {
  const pid = RUN.exec(name)?.[1];
  if (pid === undefined) return false;
  const file = join(parent, name, OWNER);
  const owner = ownerIn(file);
  return owner === undefined ? !isAlive({ pid: Number(pid), startTime: "" }) : !isOwned(file, owner);
}

function ownerIn(file: string): LockOwner | undefined {
  try {
    return readLockOwner(file);
  } catch {
    // The folder belongs to another user.
    return undefined;
  }
}
