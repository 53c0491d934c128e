import {
  baseName,
  directoryWithMode,
  type FileChange,
  isModeChange,
  Pace,
  parentPath,
  pathsOf,
  type Snapshot,
  showPath,
} from "@haft/core/workspace";
import { stale } from "./at-entry.js";
import { statHash } from "./content-hash.js";
import { modeOf } from "./entry-of.js";
import { orAbsent } from "./entry-place.js";
import type { PathJail } from "./path-jail.js";
import { takeSnapshot } from "./take-snapshot.js";

/**
 * Verifies the paths of a list of changes against the rehearsal. Paths that no earlier change of the list affects are
 * checked before anything is applied; the others when their turn comes.
 */
export class VerifiedPaths {
  readonly #jail: PathJail;
  readonly #identities = new Map<string, Identity>();

  private constructor(jail: PathJail) {
    this.#jail = jail;
  }

  static async of(jail: PathJail, changes: readonly FileChange[]): Promise<VerifiedPaths> {
    const verified = new VerifiedPaths(jail);
    const pace = new Pace();
    for (const change of independentOf(changes)) {
      await pace.breathe();
      // Taken before the content is read: any later change is detected.
      for (const path of pathsOf(change)) verified.#identities.set(path, await identityOf(jail, path));
      await verifyChange(jail, change);
    }
    return verified;
  }

  /** Updates the identity of a path to which this commit itself added a second name; later writes are still detected. */
  async renew(path: string): Promise<void> {
    const known = this.#identities.get(path);
    const now = await identityOf(this.#jail, path);
    if (known !== undefined && known.content === now.content) this.#identities.set(path, now);
  }

  /** Call right before a change is applied. Reads content again only if the identity changed. */
  async assertStill(change: FileChange): Promise<void> {
    for (const path of pathsOf(change))
      if (this.#identities.get(path)?.whole !== (await identityOf(this.#jail, path)).whole)
        return verifyChange(this.#jail, change);
  }
}

/** Throws STALE_FILE unless the paths of a change are as they were in the rehearsal. */
async function verifyChange(jail: PathJail, change: FileChange): Promise<void> {
  if (isModeChange(change)) return verifyMode(jail, change);
  if (change.kind === "create") return verifyPath(jail, change.path, undefined);
  if (change.kind !== "move") return verifyPath(jail, change.path, change.before);
  await verifyPath(jail, change.from, change.before);
  await verifyPath(jail, change.path, change.replaces);
}

/** The content of a directory is irrelevant to its permissions. */
async function verifyMode(jail: PathJail, { path, before }: FileChange & { kind: "modify" }): Promise<void> {
  const mode = await directoryModeAt(jail, path);
  if (mode !== undefined && (before.hash === "" || mode === before.mode)) return;
  const current = mode === undefined ? undefined : directoryWithMode(mode);
  throw stale(path, `${showPath(path)} ${whatHappened(before, current)}`, {
    expectedHash: before.hash,
    currentHash: current?.hash,
  });
}

/** Returns the permissions of a directory; undefined if there is no directory. */
export async function directoryModeAt(jail: PathJail, path: string): Promise<number | undefined> {
  const options = { follow: "entry", links: "refuse" } as const;
  return orAbsent(
    jail.visit(path, options, ({ rest, directory }) =>
      rest.length === 0 ? modeOf(directory.stat()) : undefined,
    ),
  );
}

function independentOf(changes: readonly FileChange[]): readonly FileChange[] {
  const touched = new Set<string>();
  const above = new Set<string>();
  return changes.filter((change) => {
    const paths = pathsOf(change);
    const isFree = !paths.some(
      (path) => above.has(path) || withFoldersAbove(path).some((each) => touched.has(each)),
    );
    for (const path of paths) {
      touched.add(path);
      for (const folder of withFoldersAbove(path)) above.add(folder);
    }
    return isFree;
  });
}

/** Returns a path and its parent folders, up to the root. */
function withFoldersAbove(path: string): readonly string[] {
  return path === "" ? [""] : [path, ...withFoldersAbove(parentPath(path))];
}

interface Identity {
  /** Changes with any change to the file or its names. */
  readonly whole: string;
  /** Changes when the file is written to. */
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

/** Returns the current entry at a path; undefined below a missing directory or a file. */
export async function currentSnapshot(jail: PathJail, path: string): Promise<Snapshot | undefined> {
  const options = { follow: "entry", links: "refuse" } as const;
  return orAbsent(
    jail.visit(path, options, (place) => takeSnapshot(place, { maxHeldBytes: 0, contents: jail.contents })),
  );
}

function isSame(expected: Snapshot | undefined, current: Snapshot | undefined): boolean {
  if (expected === undefined || current === undefined) return expected === current;
  if (expected.type !== current.type) return false;
  // A directory that the same call already changed was rehearsed without a hash, so only its names are compared.
  if (expected.type === "directory" && expected.hash === "")
    return JSON.stringify(expected.entries ?? []) === JSON.stringify(current.entries ?? []);
  // An entry that the same call restores has no hash until it is back.
  if (expected.hash === "") return expected.size === current.size;
  return expected.hash === current.hash;
}

function whatHappened(expected: Snapshot | undefined, current: Snapshot | undefined): string {
  if (current === undefined) return "is gone";
  if (expected === undefined) return "was created after this was planned";
  return "has changed since this was planned";
}
