import { baseName, type FileChange, isInside, parentPath, pathsOf, type Snapshot } from "@haft/core";
import { stale } from "./at-entry.js";
import { statHash } from "./content-hash.js";
import { orAbsent } from "./entry-place.js";
import { showPath } from "./path-error.js";
import type { PathJail } from "./path-jail.js";
import { takeSnapshot } from "./take-snapshot.js";

/**
 * The paths of a list of changes, found as rehearsed. Changes that no earlier change of the list has
 * to do with are checked before anything is applied; the others only make sense when their turn comes.
 */
export class VerifiedPaths {
  readonly #jail: PathJail;
  readonly #identities = new Map<string, Identity>();

  private constructor(jail: PathJail) {
    this.#jail = jail;
  }

  static async of(jail: PathJail, changes: readonly FileChange[]): Promise<VerifiedPaths> {
    const verified = new VerifiedPaths(jail);
    for (const change of independentOf(changes)) {
      // Looked at before its content is: whatever happens from here on will show.
      for (const path of pathsOf(change)) verified.#identities.set(path, await identityOf(jail, path));
      await verifyChange(jail, change);
    }
    return verified;
  }

  /** Takes a new look at a path that this commit itself has given a second name; being written to still shows. */
  async renew(path: string): Promise<void> {
    const known = this.#identities.get(path);
    const now = await identityOf(this.#jail, path);
    if (known !== undefined && known.content === now.content) this.#identities.set(path, now);
  }

  /** Asked right before a change is applied. Content is only read again when something moved. */
  async assertStill(change: FileChange): Promise<void> {
    for (const path of pathsOf(change))
      if (this.#identities.get(path)?.whole !== (await identityOf(this.#jail, path)).whole)
        return verifyChange(this.#jail, change);
  }
}

/** Throws STALE_FILE unless what stands at the paths of a change is what it was rehearsed on. */
async function verifyChange(jail: PathJail, change: FileChange): Promise<void> {
  if (change.kind === "create") return verifyPath(jail, change.path, undefined);
  if (change.kind !== "move") return verifyPath(jail, change.path, change.before);
  await verifyPath(jail, change.from, change.before);
  await verifyPath(jail, change.path, change.replaces);
}

function independentOf(changes: readonly FileChange[]): readonly FileChange[] {
  const touched: string[] = [];
  return changes.filter((change) => {
    const paths = pathsOf(change);
    const isFree = !paths.some((path) => touched.some((other) => areRelated(path, other)));
    touched.push(...paths);
    return isFree;
  });
}

interface Identity {
  /** Any change to the file or its names changes it. */
  readonly whole: string;
  /** Writing to the file changes it. */
  readonly content: string;
}

const ABSENT: Identity = { whole: "absent", content: "absent" };

async function identityOf(jail: PathJail, path: string): Promise<Identity> {
  const options = { given: path, links: "refuse" } as const;
  const identity = jail.visit(parentPath(path), options, ({ directory, rest }) => {
    const stats = rest.length > 0 ? undefined : directory.lstat(baseName(path));
    if (stats === undefined) return undefined;
    return { whole: statHash(stats), content: [stats.dev, stats.ino, stats.size, stats.mtimeNs].join(":") };
  });
  return (await orAbsent(identity)) ?? ABSENT;
}

async function verifyPath(jail: PathJail, path: string, expected: Snapshot | undefined): Promise<void> {
  const current = await currentSnapshot(jail, path);
  if (isSame(expected, current)) return;
  throw stale(path, `${showPath(path)} ${whatHappened(expected, current)}`, {
    expectedHash: expected?.hash,
    currentHash: current?.hash,
  });
}

/** What stands at a path now; below what is missing or no directory, nothing does. */
export async function currentSnapshot(jail: PathJail, path: string): Promise<Snapshot | undefined> {
  const options = { follow: "entry", links: "refuse" } as const;
  return orAbsent(
    jail.visit(path, options, (place) => takeSnapshot(place, { maxHeldBytes: 0, contents: jail.contents })),
  );
}

function isSame(expected: Snapshot | undefined, current: Snapshot | undefined): boolean {
  if (expected === undefined || current === undefined) return expected === current;
  if (expected.type !== current.type) return false;
  // A directory that the same call already changed was rehearsed without a hash: its names must do.
  if (expected.type === "directory" && expected.hash === "")
    return JSON.stringify(expected.entries ?? []) === JSON.stringify(current.entries ?? []);
  // What the same call gives back whole has none before it is back.
  if (expected.hash === "") return expected.size === current.size;
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
