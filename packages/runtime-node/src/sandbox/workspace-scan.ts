import type { Stats } from "node:fs";
import { ToolError, type WorkspaceStore } from "@haft/core";
import { isInside } from "@haft/core/workspace";
import { HeldDirectory } from "../workspace/held-directory.js";
import { FolderCache } from "./folder-cache.js";
import { holdIfThere, openBelow } from "./hold-folder.js";
import { type IgnoredFolders, isPackageFolder } from "./pass-through.js";
import { type FolderFindings, type FolderPlace, readFolder, type SecretFinding } from "./read-folder.js";

/** A folder at one moment: its contents, and what code must not see or change. */
export interface WorkspaceScan {
  /** Topmost paths that later run as code or decide what may run. */
  readonly guarded: ReadonlyMap<string, Stats>;
  /** Files and folders whose content is inaccessible. */
  readonly secret: readonly SecretEntry[];
  /** Git's data folders: names and versions are visible, contents and settings are not. */
  readonly repositories: readonly string[];
  /** Topmost folders that the repository ignored at the start and that contain nothing secret or guarded. */
  readonly ignored: readonly string[];
  /** Topmost folders of installed packages. */
  readonly packages: readonly string[];
  /** Folders with a package.json, outside those. */
  readonly packageRoots: readonly string[];
  /** How much content may change. Sizes are from the scan that read the folder. */
  readonly open: ContentSize;
  /** The part of it in ignored folders. */
  readonly openIgnored: ContentSize;
  /** Whether some entries belong to a group other than this process's; a user namespace does not map it. */
  readonly hasOtherGroups: boolean;
}

interface ContentSize {
  readonly entries: number;
  readonly bytes: number;
}

interface SecretEntry {
  readonly path: string;
  readonly isDirectory: boolean;
}

export type ScannedWorkspace = Pick<WorkspaceStore, "root" | "vet" | "local">;

/**
 * Reads every entry below the root, ignoring ignore files. With a cache, reads only folders that changed. Throws if
 * there are too many entries to be sure.
 */
export function scanWorkspace(
  workspace: ScannedWorkspace,
  isIgnored: IgnoredFolders = () => false,
  cache: FolderCache = new FolderCache(),
): WorkspaceScan {
  const isWhole = cache.isEmpty;
  const scan = scanOnce(workspace, isIgnored, cache);
  if (isWhole) cache.keepLinks(scan.linkedSecrets);
  if (cache.hasLinks(scan.linkedSecrets)) return scan.finished();
  // A file may also have received a sensitive name elsewhere, which does not change the folder of its other name.
  cache.clear();
  return scanWorkspace(workspace, isIgnored, cache);
}

function scanOnce(workspace: ScannedWorkspace, isIgnored: IgnoredFolders, cache: FolderCache): Scan {
  cache.startScan();
  const scan = new Scan(workspace, isIgnored, cache);
  scan.folder({ path: "", isGuarded: false, isHidden: false }, () => HeldDirectory.open(workspace.root));
  return scan;
}

class Scan {
  readonly #workspace: ScannedWorkspace;
  readonly #isIgnored: IgnoredFolders;
  readonly #cache: FolderCache;
  readonly #guarded = new Map<string, Stats>();
  readonly #secret: SecretEntry[] = [];
  readonly #secretInodes = new Set<string>();
  readonly #linkedSecrets: string[] = [];
  readonly #repositories: string[] = [];
  readonly #linked: { path: string; inode: string }[] = [];
  readonly #ignored = new Set<string>();
  readonly #packages = new Set<string>();
  readonly #packageRoots: string[] = [];
  #entries = 0;
  readonly #open = { entries: 0, bytes: 0 };
  readonly #openIgnored = { entries: 0, bytes: 0 };
  #hasOtherGroups = false;

  constructor(workspace: ScannedWorkspace, isIgnored: IgnoredFolders, cache: FolderCache) {
    this.#workspace = workspace;
    this.#isIgnored = isIgnored;
    this.#cache = cache;
  }

  /** Directories are held while they are read: one replaced by a link leads nowhere. */
  folder(place: FolderPlace, open: () => HeldDirectory, ignoredBy?: string): void {
    const known = this.#cache.find(this.#workspace.root, place);
    if (known !== undefined) {
      this.#add(place, known, { ignoredBy });
      return;
    }
    const held = holdIfThere(open);
    if (held === undefined) return;
    try {
      const findings = readFolder(held, place, { workspace: this.#workspace, isIgnored: this.#isIgnored });
      this.#cache.keep(place, findings);
      this.#add(place, findings, { ignoredBy, held });
    } finally {
      held.close();
    }
  }

  /** The secrets with another name somewhere. */
  get linkedSecrets(): string {
    return this.#linkedSecrets.sort().join();
  }

  finished(): WorkspaceScan {
    // A hard link gives a secret a harmless name.
    for (const { path, inode } of this.#linked)
      if (this.#secretInodes.has(inode)) this.#hide({ path, isDirectory: false });
    return {
      guarded: this.#guarded,
      secret: this.#secret,
      repositories: this.#repositories,
      ignored: [...this.#ignored],
      packages: [...this.#packages],
      packageRoots: this.#packageRoots,
      open: this.#open,
      openIgnored: this.#openIgnored,
      hasOtherGroups: this.#hasOtherGroups,
    };
  }

  #add(place: FolderPlace, found: FolderFindings, { ignoredBy, held }: Surroundings): void {
    this.#entries += found.entries;
    if (this.#entries > MAX_ENTRIES) throw tooManyEntries();
    if (found.isRepository) {
      this.#repositories.push(place.path);
      this.#keepBack(place);
      return;
    }
    for (const secret of found.secret) this.#addSecret(secret);
    for (const [path, stats] of found.guarded) this.#guard(path, stats);
    this.#linked.push(...found.linked);
    if (found.hasPackage) this.#packageRoots.push(place.path);
    for (const size of ignoredBy === undefined ? [this.#open] : [this.#open, this.#openIgnored]) {
      size.entries += found.open.entries;
      size.bytes += found.open.bytes;
    }
    this.#hasOtherGroups ||= found.hasOtherGroups;
    for (const below of found.folders) {
      const { name, path, isIgnored } = below;
      const isInIgnored = ignoredBy !== undefined && this.#ignored.has(ignoredBy);
      if (isIgnored && !isInIgnored) this.#ignored.add(path);
      const open = () => openBelow(this.#workspace.root, { path, name, above: held });
      this.folder(below, open, isInIgnored ? ignoredBy : isIgnored ? path : undefined);
    }
  }

  #addSecret({ path, isDirectory, isCovered, inode, links }: SecretFinding): void {
    if (!isCovered) this.#hide({ path, isDirectory });
    this.#secretInodes.add(inode);
    if (!isDirectory && links > 1) this.#linkedSecrets.push(`${inode}*${links}`);
  }

  #guard(path: string, stats: Stats): void {
    this.#guarded.set(path, stats);
    if (stats.isDirectory() && isPackageFolder(path)) this.#packages.add(path);
    else this.#keepBack({ path });
  }

  #hide(secret: SecretEntry): void {
    this.#secret.push(secret);
    this.#keepBack(secret);
  }

  /** Excludes a folder with such an entry from sharing. */
  #keepBack({ path }: { readonly path: string }): void {
    for (const folder of this.#ignored) if (isInside(path, folder)) this.#ignored.delete(folder);
  }
}

interface Surroundings {
  /** The ignored folder that contains it, or itself. */
  readonly ignoredBy: string | undefined;
  /** The folder itself, if it had to be read. */
  readonly held?: HeldDirectory;
}

// Beyond this, a complete scan would take too long.
const MAX_ENTRIES = 1_000_000;

function tooManyEntries(): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `The workspace has more than ${MAX_ENTRIES} entries`, {
    hint: "Code cannot be confined to it safely. Open a smaller folder as the workspace.",
  });
}
