import type { IgnoreScope, IgnoreTexts } from "@haft/text/path-rules";
import type { FolderEntry } from "../walk/folder-entry.js";
import type { SortedFolder } from "../walk/folder-sorter.js";
import type { HeldPaths } from "./held-paths.js";

/** A folder as it was read, with the results derived from it. */
export class FolderView {
  private entered: { readonly outer: IgnoreScope; readonly inner: IgnoreScope } | undefined;
  private sorted: readonly KeptSorting[] = [];

  constructor(
    /** With a trailing slash, "" for the root. */
    readonly path: string,
    readonly entries: readonly FolderEntry[],
    private readonly rules: FolderRules,
  ) {}

  /** The ignore files in it. */
  get ignoreFiles(): readonly string[] {
    return this.rules.ignoreFiles;
  }

  /** Whether it can be cached: everything it depends on can be checked for changes. */
  get canBeKept(): boolean {
    return !this.rules.isLinked;
  }

  /** Returns the rules inside the folder, given those around it. */
  enter(outer: IgnoreScope): IgnoreScope {
    const { texts } = this.rules;
    if (!texts) return outer;
    if (this.entered?.outer !== outer) this.entered = { outer, inner: outer.enter(this.path, texts) };
    return this.entered.inner;
  }

  /**
   * Returns the result of `sort`, cached for the next walk with the same key: everything it depends on except the
   * rules around it.
   */
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

interface FolderRules {
  readonly ignoreFiles: readonly string[];
  /** Whether some of its rules are elsewhere, where changes go unnoticed. */
  readonly isLinked: boolean;
  /** Their content; undefined if there are none. */
  readonly texts: IgnoreTexts | undefined;
}

/** Searching and listing alternate with different options, and hints look at hidden or ignored files. */
const KEPT_SORTINGS = 5;

interface KeptSorting {
  readonly key: string;
  readonly scope: IgnoreScope;
  readonly result: SortedFolder;
}

/** Provides the folders of a walk. */
export interface FolderSource {
  /** Throws if the folder cannot be read. Folders opened for it stay in `held`, for their files. */
  read(path: string, held: HeldPaths): FolderView;
}
