import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { ToolError } from "@haft/core";
import { joinPath } from "@haft/core/workspace";
import { inodeKey } from "../fs/inode-key.js";
import type { HeldDirectory } from "../workspace/held-directory.js";
import type { IgnoredFolders } from "./pass-through.js";
import { isRepositoryWith } from "./view-entry.js";
import type { ScannedWorkspace } from "./workspace-scan.js";

/** The position of a folder, as far as it decides about its contents. */
export interface FolderPlace {
  readonly path: string;
  /** Whether it is, or lies in, a folder that code cannot change. */
  readonly isGuarded: boolean;
  /** Whether it is, or lies in, a folder that code cannot see. */
  readonly isHidden: boolean;
}

/** The findings in one folder, without its subfolders. */
export interface FolderFindings {
  /** The folder itself, before it was read. */
  readonly stats: Stats;
  readonly entries: number;
  readonly isRepository: boolean;
  readonly hasPackage: boolean;
  readonly secret: readonly SecretFinding[];
  readonly guarded: readonly (readonly [path: string, stats: Stats])[];
  /** Files with another name somewhere. */
  readonly linked: readonly { readonly path: string; readonly inode: string }[];
  readonly folders: readonly FoundFolder[];
  readonly open: { readonly entries: number; readonly bytes: number };
  readonly hasOtherGroups: boolean;
}

export interface SecretFinding {
  readonly path: string;
  readonly isDirectory: boolean;
  /** Whether the parent folder is already hidden. */
  readonly isCovered: boolean;
  readonly inode: string;
  readonly links: number;
}

interface FoundFolder extends FolderPlace {
  readonly name: string;
  /** Whether the repository ignored it at the start. */
  readonly isIgnored: boolean;
}

interface FolderReading {
  readonly workspace: ScannedWorkspace;
  readonly isIgnored: IgnoredFolders;
}

/** Reads one folder and classifies its entries. */
export function readFolder(held: HeldDirectory, place: FolderPlace, reading: FolderReading): FolderFindings {
  const stats = statSync(held.self);
  const entries = entriesOf(held);
  const isRepository = !place.isHidden && isRepositoryFolder(place.path, entries);
  const found = new Findings(place, reading);
  if (!isRepository)
    for (const entry of entries) {
      const own = lstatSync(held.at(entry.name), { throwIfNoEntry: false });
      if (own !== undefined) found.add(entry, own);
    }
  return { ...found.all(), stats, entries: isRepository ? 0 : entries.length, isRepository };
}

class Findings {
  readonly #place: FolderPlace;
  readonly #reading: FolderReading;
  readonly #secret: SecretFinding[] = [];
  readonly #guarded: [string, Stats][] = [];
  readonly #linked: { path: string; inode: string }[] = [];
  readonly #folders: FoundFolder[] = [];
  #hasPackage = false;
  #entries = 0;
  #bytes = 0;
  #hasOtherGroups = false;

  constructor(place: FolderPlace, reading: FolderReading) {
    this.#place = place;
    this.#reading = reading;
  }

  add(entry: Dirent, stats: Stats): void {
    const path = joinPath(this.#place.path, entry.name);
    if (this.#place.isHidden || this.#isSecret(path, entry)) this.#addSecret(path, entry, stats);
    else this.#addOpen(path, entry, stats);
  }

  #addOpen(path: string, entry: Dirent, stats: Stats): void {
    const { isGuarded } = this.#place;
    const isOwnGuard = !isGuarded && this.#isGuarded(path);
    if (isOwnGuard) this.#guarded.push([path, stats]);
    else if (!isGuarded) this.#count(stats);
    if (!isGuarded && entry.name === "package.json") this.#hasPackage = true;
    if (entry.isFile() && stats.nlink > 1) this.#linked.push({ path, inode: inodeKey(stats) });
    if (!entry.isDirectory()) return;
    this.#folders.push({
      name: entry.name,
      path,
      isGuarded: isGuarded || isOwnGuard,
      isHidden: false,
      isIgnored: !isGuarded && !isOwnGuard && this.#isIgnored(entry.name),
    });
  }

  all(): Omit<FolderFindings, "stats" | "entries" | "isRepository"> {
    return {
      hasPackage: this.#hasPackage,
      secret: this.#secret,
      guarded: this.#guarded,
      linked: this.#linked,
      folders: this.#folders,
      open: { entries: this.#entries, bytes: this.#bytes },
      hasOtherGroups: this.#hasOtherGroups,
    };
  }

  #addSecret(path: string, entry: Dirent, stats: Stats): void {
    const { isGuarded, isHidden } = this.#place;
    const isDirectory = entry.isDirectory();
    this.#secret.push({
      path,
      isDirectory,
      isCovered: isHidden,
      inode: inodeKey(stats),
      links: stats.nlink,
    });
    // Entries below are hidden with it, but may have another name elsewhere.
    if (isDirectory)
      this.#folders.push({ name: entry.name, path, isGuarded, isHidden: true, isIgnored: false });
  }

  /** A socket would let code talk to a program outside. */
  #isSecret(path: string, entry: Dirent): boolean {
    if (entry.isSymbolicLink()) return false;
    return entry.isSocket() || !(this.#reading.workspace.local?.mayOpen(path) ?? true);
  }

  #isGuarded(path: string): boolean {
    try {
      return this.#reading.workspace.vet(path, { purpose: "write" }).sealed === true;
    } catch (error) {
      return ToolError.is(error) && error.code === "PROTECTED_PATH";
    }
  }

  #isIgnored(name: string): boolean {
    const { path } = this.#place;
    return this.#reading.isIgnored(path === "" ? "" : `${path}/`, name);
  }

  #count(stats: Stats): void {
    this.#entries += 1;
    if (stats.isFile()) this.#bytes += stats.size;
    this.#hasOtherGroups ||= stats.gid !== process.getegid?.();
  }
}

function entriesOf(held: HeldDirectory): readonly Dirent[] {
  try {
    return readdirSync(held.self, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Recognizes a repository by name or contents: a bare repository can have any name. The workspace itself stays
 * visible.
 */
function isRepositoryFolder(path: string, entries: readonly Dirent[]): boolean {
  if (path === "") return false;
  if (path.slice(path.lastIndexOf("/") + 1).toLowerCase() === ".git") return true;
  return isRepositoryWith((name) => entries.some((entry) => entry.name === name));
}
