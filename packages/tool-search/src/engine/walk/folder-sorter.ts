import { type IgnoreScope, isPlainName } from "@haft/text/path-rules";
import type { FolderEntry } from "./folder-entry.js";
import { PathFilter } from "./path-filter.js";
import { emptyLedger, noteSkip, type SkipLedger } from "./skip-ledger.js";
import type { WalkOptions } from "./walk-options.js";

// Replaces bytes that are not UTF-8.
const UNDECODED = "\ufffd";

/** A folder to be read: its path with a trailing slash ("" for the root), and the rules around it. */
export interface PendingFolder {
  readonly path: string;
  readonly depth: number;
  readonly scope: IgnoreScope;
}

/** A folder to start in, with its depth below the start of the first walk. */
export type StartFolder = Pick<PendingFolder, "path" | "depth">;

export interface LeftOut {
  readonly files: string[];
  readonly folders: StartFolder[];
}

/** The entries of one folder that a walk takes, and those it leaves out. */
export interface SortedFolder {
  readonly entries: number;
  readonly files: string[];
  readonly folders: PendingFolder[];
  /** Links that may point to a file; separate, because only their target shows what they are. */
  readonly links: string[];
  readonly tooDeep: string[];
  /** Entries that no path can name, with escapes. */
  readonly unnamed: string[];
  /** Entries that only an ignore file excludes. */
  readonly leftOut: LeftOut;
  ignored: number;
  hidden: number;
  sensitive: number;
}

export interface SorterSetup {
  readonly options: WalkOptions;
  readonly mayOpen: (path: string) => boolean;
  readonly takeLinks?: boolean | undefined;
  /** Returns true for folders that this walk does not enter, given their path. */
  readonly leaveOut?: ((folder: string) => boolean) | undefined;
}

/** Decides, entry by entry, what a walk takes, enters and leaves out. It reads nothing: both walkers share it. */
export class FolderSorter {
  readonly ledger: SkipLedger = emptyLedger();
  readonly links: string[] = [];
  /** Entries that only ignore files and `leaveOut` exclude: enough to look there later. */
  readonly leftOut: LeftOut = { files: [], folders: [] };
  private entries = 0;
  private readonly filter: PathFilter;

  constructor(private readonly setup: SorterSetup) {
    this.filter = new PathFilter(setup.options);
  }

  get exhausted(): boolean {
    return this.entries >= this.setup.options.maxEntries;
  }

  /** Returns the same for the same folder and options, whatever was sorted before. */
  sort(folder: PendingFolder, found: readonly FolderEntry[]): SortedFolder {
    const sorted: SortedFolder = {
      entries: found.length,
      files: [],
      folders: [],
      links: [],
      tooDeep: [],
      unnamed: [],
      leftOut: { files: [], folders: [] },
      ignored: 0,
      hidden: 0,
      sensitive: 0,
    };
    // Here and below without iterators: the first walk of a process is never compiled, and they would be most of its
    // work.
    for (let index = 0; index < found.length; index++)
      this.place(found[index] as FolderEntry, folder, sorted);
    return sorted;
  }

  /** Counts a sorted folder and adds its files and folders. */
  take(sorted: SortedFolder, into: { files: string[]; folders: PendingFolder[] }): void {
    const { ledger } = this;
    this.entries += sorted.entries;
    ledger.ignored += sorted.ignored;
    ledger.hidden += sorted.hidden;
    ledger.sensitive += sorted.sensitive;
    if (sorted.tooDeep.length > 0) for (const path of sorted.tooDeep) noteSkip(ledger, "tooDeep", path);
    if (sorted.unnamed.length > 0) for (const path of sorted.unnamed) noteSkip(ledger, "denied", path);
    append(sorted.files, into.files);
    append(sorted.links, this.links);
    append(sorted.leftOut.files, this.leftOut.files);
    append(sorted.leftOut.folders, this.leftOut.folders);
    const { leaveOut } = this.setup;
    if (!leaveOut) append(sorted.folders, into.folders);
    else
      for (const folder of sorted.folders)
        (leaveOut(folder.path.slice(0, -1)) ? this.leftOut.folders : into.folders).push(folder);
  }

  private place(entry: FolderEntry, folder: PendingFolder, sorted: SortedFolder): void {
    const { name, kind } = entry;
    if (name === ".git" || kind === "other" || (kind === "link" && !this.setup.takeLinks)) return;
    const path = folder.path + name;
    const isFolder = kind === "folder";
    const verdict = this.filter.verdict(path, name, isFolder);
    if (verdict === "excluded" || (verdict !== "asked" && this.isLeftOut(entry, folder, sorted))) return;
    // No other tool could open such a file.
    if (!isPlainName(name) || name.includes(UNDECODED))
      sorted.unnamed.push(JSON.stringify(path).slice(1, -1));
    else if (isFolder) this.placeFolder(path, folder, sorted);
    else if (!this.filter.hasWantedEnding(name)) return;
    else if (!this.setup.mayOpen(path)) sorted.sensitive++;
    else (kind === "link" ? sorted.links : sorted.files).push(path);
  }

  // A glob that names an entry overrides these rules, as in ripgrep.
  private isLeftOut(entry: FolderEntry, folder: PendingFolder, sorted: SortedFolder): boolean {
    const { name, kind } = entry;
    const { includeIgnored, includeHidden } = this.setup.options;
    const verdict = includeIgnored
      ? undefined
      : folder.scope.match(folder.path + name, name, kind === "folder");
    const isHidden = name.startsWith(".") && !includeHidden && verdict !== "keep";
    if (verdict !== "ignore" && !isHidden) return false;
    sorted[verdict === "ignore" ? "ignored" : "hidden"]++;
    if (!isHidden) this.placeIgnored(entry, folder, sorted.leftOut);
    return true;
  }

  private placeIgnored({ name, kind }: FolderEntry, folder: PendingFolder, leftOut: LeftOut): void {
    const path = folder.path + name;
    const depth = folder.depth + 1;
    if (kind === "folder") {
      if (depth < this.setup.options.maxDepth && this.setup.mayOpen(`${path}/`))
        leftOut.folders.push({ path: `${path}/`, depth });
    } else if (kind === "file" && this.filter.hasWantedEnding(name) && this.setup.mayOpen(path)) {
      leftOut.files.push(path);
    }
  }

  private placeFolder(path: string, parent: PendingFolder, sorted: SortedFolder): void {
    const depth = parent.depth + 1;
    if (depth >= this.setup.options.maxDepth) sorted.tooDeep.push(path);
    else if (this.setup.mayOpen(`${path}/`))
      sorted.folders.push({ path: `${path}/`, depth, scope: parent.scope });
    else sorted.sensitive++;
  }
}

function append<T>(items: readonly T[], to: T[]): void {
  for (let index = 0; index < items.length; index++) to.push(items[index] as T);
}
