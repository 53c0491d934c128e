import { lstatSync, type Stats, statfsSync } from "node:fs";
import type { FolderFindings, FolderPlace } from "./read-folder.js";

/**
 * Remembers the contents of folders while their change time stays the same: adding, removing or renaming an entry
 * changes it, and nothing can restore it. Used only on file systems that are known to maintain that time.
 */
export class FolderCache {
  #known = new Map<string, KnownFolder>();
  #before: ReadonlyMap<string, KnownFolder> = new Map();
  #links = "";
  #device: number | undefined;

  /** Starts a scan: folders that it does not visit are forgotten. */
  startScan(): void {
    this.#before = this.#known;
    this.#known = new Map();
  }

  /** Returns the findings for a folder that has not changed since it was read. */
  find(root: string, place: FolderPlace): FolderFindings | undefined {
    this.#device ??= deviceThatKeepsTimes(root);
    const known = this.#before.get(place.path);
    if (known?.isSettled !== true || !isSamePlace(known.place, place)) return undefined;
    const now = lstatSync(`${root}/${place.path}`, { throwIfNoEntry: false });
    if (now === undefined || !isUnchanged(known.findings.stats, now)) return undefined;
    this.#known.set(place.path, known);
    return known.findings;
  }

  keep(place: FolderPlace, findings: FolderFindings): void {
    const { dev, ctimeMs } = findings.stats;
    // Within one tick of the file system's clock another entry could appear unnoticed.
    const isSettled = dev === this.#device && Date.now() - ctimeMs > SETTLED_MS;
    this.#known.set(place.path, { place, findings, isSettled });
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Returns whether the secrets with several names are those that the last full scan found. */
  hasLinks(links: string): boolean {
    return links === this.#links;
  }

  keepLinks(links: string): void {
    this.#links = links;
  }

  clear(): void {
    this.#known.clear();
  }
}

interface KnownFolder {
  readonly place: FolderPlace;
  readonly findings: FolderFindings;
  readonly isSettled: boolean;
}

/** Longer than a tick of any file system's clock. */
const SETTLED_MS = 3_000;

/**
 * File system types: ext, XFS, Btrfs, tmpfs, overlay, F2FS, ZFS. Others may be shared with machines that have another
 * clock.
 */
const KEEP_TIMES: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1],
]);

function deviceThatKeepsTimes(root: string): number {
  try {
    return KEEP_TIMES.has(statfsSync(root).type) ? lstatSync(root).dev : NO_DEVICE;
  } catch {
    return NO_DEVICE;
  }
}

const NO_DEVICE = -1;

function isUnchanged(before: Stats, now: Stats): boolean {
  return (
    now.isDirectory() &&
    before.ino === now.ino &&
    before.dev === now.dev &&
    before.ctimeMs === now.ctimeMs &&
    before.mtimeMs === now.mtimeMs
  );
}

function isSamePlace(before: FolderPlace, now: FolderPlace): boolean {
  return before.isGuarded === now.isGuarded && before.isHidden === now.isHidden;
}
