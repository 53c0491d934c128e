import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { IgnoreScope, type IgnoreTexts } from "@haft/text/path-rules";
import type { FolderEntry } from "../walk/folder-entry.js";
import { FolderSorter, type PendingFolder } from "../walk/folder-sorter.js";
import { noteSkip, type SkipLedger } from "../walk/skip-ledger.js";
import type { WalkOptions } from "../walk/walk-options.js";

export interface TreeWalkerSetup {
  /** Absolute and real. */
  readonly root: string;
  readonly options: WalkOptions;
  readonly mayOpen: (path: string) => boolean;
  readonly takeLinks?: boolean;
}

/**
 * Walks a folder on disk, one folder at each step, so that the caller may do something else in between. Reading is
 * synchronous, which is several times cheaper than promises. Links to folders are never followed.
 */
export class TreeWalker {
  private readonly root: string;
  private readonly includeIgnored: boolean;
  private readonly sorter: FolderSorter;
  private readonly pending: PendingFolder[] = [];

  constructor({ root, options, mayOpen, takeLinks = false }: TreeWalkerSetup) {
    this.root = root;
    this.includeIgnored = options.includeIgnored;
    this.sorter = new FolderSorter(options, mayOpen, takeLinks);
    this.pending.push(this.firstFolder(options.folder));
  }

  get ledger(): SkipLedger {
    return this.sorter.ledger;
  }

  get links(): readonly string[] {
    return this.sorter.links;
  }

  /** The budget of entries ran out before the tree did. */
  get exhausted(): boolean {
    return this.sorter.exhausted && this.pending.length > 0;
  }

  /** Reads one more folder and adds its files; false when there is none left. */
  step(files: string[]): boolean {
    if (this.sorter.exhausted) return false;
    const folder = this.pending.pop();
    if (!folder) return false;
    const entries = this.read(folder.path);
    const scope = this.includeIgnored ? folder.scope : this.enter(folder, entries);
    this.sorter.sort({ ...folder, scope }, entries, { files, folders: this.pending });
    return true;
  }

  // A search that starts below the root still obeys the ignore files above it.
  private firstFolder(folder: string): PendingFolder {
    let scope = IgnoreScope.empty;
    const segments = folder === "" ? [] : folder.split("/");
    for (let depth = 0; depth < segments.length && !this.includeIgnored; depth++) {
      const path = segments
        .slice(0, depth)
        .map((name) => `${name}/`)
        .join("");
      scope = this.enter({ path, depth, scope }, this.read(path));
    }
    return { path: folder === "" ? "" : `${folder}/`, depth: 0, scope };
  }

  private read(path: string): FolderEntry[] {
    try {
      return readdirSync(`${this.root}/${path}`, { withFileTypes: true }).map((entry) =>
        this.describe(path, entry),
      );
    } catch {
      noteSkip(this.ledger, "denied", path);
      return [];
    }
  }

  private describe(path: string, entry: Dirent): FolderEntry {
    const { name } = entry;
    if (entry.isFile()) return { name, kind: "file" };
    if (entry.isDirectory()) return { name, kind: "folder" };
    if (entry.isSymbolicLink()) return { name, kind: "link" };
    if (entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice())
      return { name, kind: "other" };
    return { name, kind: this.askForKind(`${this.root}/${path}${name}`) };
  }

  // Some file systems do not tell the kind while listing.
  private askForKind(path: string): FolderEntry["kind"] {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) return "file";
    if (stats?.isDirectory()) return "folder";
    return stats?.isSymbolicLink() ? "link" : "other";
  }

  private enter(folder: PendingFolder, entries: readonly FolderEntry[]): IgnoreScope {
    const has = { ignore: false, gitignore: false, git: false };
    for (const { name } of entries) {
      if (name === ".gitignore") has.gitignore = true;
      else if (name === ".ignore") has.ignore = true;
      else if (name === ".git") has.git = true;
    }
    if (!has.ignore && !has.gitignore && !has.git) return folder.scope;
    const texts: IgnoreTexts = {
      ignore: has.ignore ? this.text(`${folder.path}.ignore`) : undefined,
      gitignore: has.gitignore ? this.text(`${folder.path}.gitignore`) : undefined,
      exclude: has.git ? this.text(`${folder.path}.git/info/exclude`) : undefined,
      isRepository: has.git,
    };
    return folder.scope.enter(folder.path, texts);
  }

  private text(path: string): string | undefined {
    try {
      return readFileSync(`${this.root}/${path}`, "utf8");
    } catch {
      return undefined;
    }
  }
}
