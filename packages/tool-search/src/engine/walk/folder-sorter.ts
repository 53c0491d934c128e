import type { IgnoreScope } from "@haft/text/path-rules";
import type { FolderEntry } from "./folder-entry.js";
import { PathFilter } from "./path-filter.js";
import { emptyLedger, noteSkip, type SkipLedger } from "./skip-ledger.js";
import type { WalkOptions } from "./walk-options.js";

/** A folder still to be read: its path with a trailing slash ("" for the root), and the rules in force around it. */
export interface PendingFolder {
  readonly path: string;
  readonly depth: number;
  readonly scope: IgnoreScope;
}

/** Decides, entry by entry, what a walk takes, enters and leaves out. It reads nothing: both walkers share it. */
export class FolderSorter {
  readonly ledger: SkipLedger = emptyLedger();
  /** Links that a file could stand behind; kept apart, because only their target says what they are. */
  readonly links: string[] = [];
  entries = 0;
  private readonly filter: PathFilter;

  constructor(
    private readonly options: WalkOptions,
    private readonly mayOpen: (path: string) => boolean,
    private readonly takeLinks = false,
  ) {
    this.filter = new PathFilter(options);
  }

  get exhausted(): boolean {
    return this.entries >= this.options.maxEntries;
  }

  sort(
    folder: PendingFolder,
    found: readonly FolderEntry[],
    into: { files: string[]; folders: PendingFolder[] },
  ): void {
    for (const entry of found) {
      const { name, kind } = entry;
      this.entries++;
      if (name === ".git" || kind === "other" || (kind === "link" && !this.takeLinks)) continue;
      const path = folder.path + name;
      const isFolder = kind === "folder";
      const verdict = this.filter.verdict(path, name, isFolder);
      if (verdict === "excluded" || (verdict !== "asked" && this.isLeftOut(folder, path, entry))) continue;
      if (isFolder) this.takeFolder(folder, path, into.folders);
      else if (this.filter.hasWantedEnding(name))
        this.takeFile(path, kind === "link" ? this.links : into.files);
    }
  }

  // What a glob asks for by name is taken whatever these rules say, as in ripgrep.
  private isLeftOut({ scope }: PendingFolder, path: string, { name, kind }: FolderEntry): boolean {
    const verdict = this.options.includeIgnored ? undefined : scope.match(path, name, kind === "folder");
    const isHidden = name.startsWith(".") && !this.options.includeHidden && verdict !== "keep";
    if (verdict !== "ignore" && !isHidden) return false;
    this.ledger[verdict === "ignore" ? "ignored" : "hidden"]++;
    return true;
  }

  private takeFile(path: string, files: string[]): void {
    if (this.mayOpen(path)) files.push(path);
    else this.ledger.sensitive++;
  }

  private takeFolder(parent: PendingFolder, path: string, folders: PendingFolder[]): void {
    if (parent.depth + 1 >= this.options.maxDepth) noteSkip(this.ledger, "tooDeep", path);
    else if (this.mayOpen(`${path}/`))
      folders.push({ path: `${path}/`, depth: parent.depth + 1, scope: parent.scope });
    else this.ledger.sensitive++;
  }
}
