import type { IgnoreScope, IgnoreTexts } from "@haft/text/path-rules";
import type { FolderEntry } from "../walk/folder-entry.js";
import type { SortedFolder } from "../walk/folder-sorter.js";
import type { HeldPaths } from "./held-paths.js";

/** A folder as it was read once, with what followed from it the last time. */
export class FolderView {
  private entered: { readonly outer: IgnoreScope; readonly inner: IgnoreScope } | undefined;
  private sorted: readonly KeptSorting[] = [];

  constructor(
    /** With a trailing slash, "" for the root. */
    readonly path: string,
    readonly entries: readonly FolderEntry[],
    private readonly rules: FolderRules,
  ) {}

  /** The files in it that say what to leave out. */
  get ignoreFiles(): readonly string[] {
    return this.rules.ignoreFiles;
  }

  /** The rules inside the folder, given those around it. */
  enter(outer: IgnoreScope): IgnoreScope {
    const { texts } = this.rules;
    if (!texts) return outer;
    if (this.entered?.outer !== outer) this.entered = { outer, inner: outer.enter(this.path, texts) };
    return this.entered.inner;
  }

  /** What `sort` gives, kept for the next walk with the same key: all but the rules around it that sorting depends on. */
  sortedBy(key: string, scope: IgnoreScope, sort: () => SortedFolder): SortedFolder {
    const known =
      this.sorted.length === 0
        ? undefined
        : this.sorted.find((each) => each.key === key && each.scope === scope);
    if (known) return known.result;
    const result = sort();
    this.sorted = [{ key, scope, result }, ...this.sorted.slice(0, KEPT_SORTINGS - 1)];
    return result;
  }
}

export interface FolderRules {
  readonly ignoreFiles: readonly string[];
  /** What they say; undefined where there is none. */
  readonly texts: IgnoreTexts | undefined;
}

/** Searching and listing take turns, each with options of its own. */
const KEPT_SORTINGS = 2;

interface KeptSorting {
  readonly key: string;
  readonly scope: IgnoreScope;
  readonly result: SortedFolder;
}

/** Where a walk gets its folders from. */
export interface FolderSource {
  /** Throws when the folder cannot be read. What has to be opened for it stays held by `held`, for its files. */
  read(path: string, held: HeldPaths): FolderView;
}
