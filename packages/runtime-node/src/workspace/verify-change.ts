import { type FileChange, isInside, type Snapshot } from "@haft/core";
import { stale } from "./at-entry.js";
import { showPath } from "./path-error.js";
import type { PathJail } from "./path-jail.js";
import { takeSnapshot } from "./take-snapshot.js";

/** Throws STALE_FILE unless what stands at the paths of a change is what it was rehearsed on. */
export async function verifyChange(jail: PathJail, change: FileChange): Promise<void> {
  if (change.kind === "create") return verifyPath(jail, change.path, undefined);
  if (change.kind !== "move") return verifyPath(jail, change.path, change.before);
  await verifyPath(jail, change.from, change.before);
  await verifyPath(jail, change.path, change.replaces);
}

/**
 * The changes whose paths no earlier change of the list has to do with. Those can be checked before
 * anything is applied; the others only make sense when their turn comes.
 */
export function independentOf(changes: readonly FileChange[]): readonly FileChange[] {
  const touched: string[] = [];
  return changes.filter((change) => {
    const paths = pathsOf(change);
    const isFree = !paths.some((path) => touched.some((other) => areRelated(path, other)));
    touched.push(...paths);
    return isFree;
  });
}

export function pathsOf(change: FileChange): readonly string[] {
  return change.kind === "move" ? [change.from, change.path] : [change.path];
}

async function verifyPath(jail: PathJail, path: string, expected: Snapshot | undefined): Promise<void> {
  const current = await currentSnapshot(jail, path);
  if (isSame(expected, current)) return;
  throw stale(path, `${showPath(path)} ${whatHappened(expected, current)}`, {
    expectedHash: expected?.hash,
    currentHash: current?.hash,
  });
}

/** What stands at a path now; a missing or swapped parent counts as nothing. */
export async function currentSnapshot(jail: PathJail, path: string): Promise<Snapshot | undefined> {
  return jail.visit(path, { follow: "entry", links: "refuse" }, (place) => takeSnapshot(place, 0));
}

function isSame(expected: Snapshot | undefined, current: Snapshot | undefined): boolean {
  if (expected === undefined || current === undefined) return expected === current;
  if (expected.type !== current.type) return false;
  // A directory that the same call already changed was rehearsed without a hash: its names must do.
  if (expected.type === "directory" && expected.hash === "")
    return JSON.stringify(expected.entries ?? []) === JSON.stringify(current.entries ?? []);
  return expected.hash === current.hash;
}

function whatHappened(expected: Snapshot | undefined, current: Snapshot | undefined): string {
  if (current === undefined) return "is gone";
  if (expected === undefined) return "has come into being since this was planned";
  return "has changed since this was planned";
}

function areRelated(path: string, other: string): boolean {
  return isInside(path, other) || isInside(other, path);
}
