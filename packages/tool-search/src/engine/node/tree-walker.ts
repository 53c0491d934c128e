import { IgnoreScope } from "@haft/text/path-rules";
import {
  FolderSorter,
  type LeftOut,
  type PendingFolder,
  type SorterSetup,
  type StartFolder,
} from "../walk/folder-sorter.js";
import { noteSkip, type SkipLedger } from "../walk/skip-ledger.js";
import type { FolderSource, FolderView } from "./folder-view.js";
import type { HeldPaths } from "./held-paths.js";

interface TreeWalkerSetup extends SorterSetup {
  readonly folders: FolderSource;
  /** Holds the folder being read. The caller releases it. */
  readonly held: HeldPaths;
  /** Where to start, in place of the folder of the options. */
  readonly starts?: readonly StartFolder[] | undefined;
}

/**
 * Walks a folder on disk, one folder per step, so that the caller can do other work in between. Reading is
 * synchronous, which is several times cheaper than promises. Never follows links to folders.
 */
export class TreeWalker {
  private readonly sorter: FolderSorter;
  private readonly pending: PendingFolder[] = [];
  private readonly key: string;

  /** `mayOpen` must be the same for all walks over the same `folders`: its answers are cached with them. */
  constructor(private readonly setup: TreeWalkerSetup) {
    this.sorter = new FolderSorter(setup);
    this.key = JSON.stringify([setup.options, setup.takeLinks ?? false]);
    const { starts } = setup;
    if (starts) this.pending.push(...starts.map((start) => ({ ...start, scope: IgnoreScope.empty })));
    else this.pending.push(this.firstFolder(setup.options.folder));
  }

  get ledger(): SkipLedger {
    return this.sorter.ledger;
  }

  get links(): readonly string[] {
    return this.sorter.links;
  }

  get leftOut(): LeftOut {
    return this.sorter.leftOut;
  }

  /** Whether the budget of entries ran out before the tree did. */
  get exhausted(): boolean {
    return this.sorter.exhausted && this.pending.length > 0;
  }

  /** Reads one more folder and adds its files. Returns false if none is left. */
  step(files: string[]): boolean {
    if (this.sorter.exhausted) return false;
    const folder = this.pending.pop();
    if (!folder) return false;
    const view = this.read(folder.path);
    if (!view) return true;
    const scope = this.enter(view, folder.scope);
    if (scope !== folder.scope) this.ledger.ignoreRules += scope.passedOver;
    const sorted = view.sortedBy(this.key, scope, () => this.sorter.sort({ ...folder, scope }, view.entries));
    this.sorter.take(sorted, { files, folders: this.pending });
    return true;
  }

  // A search that starts below the root still obeys the ignore files above it, unless they ignore its start.
  private firstFolder(folder: string): PendingFolder {
    let scope = IgnoreScope.empty;
    const segments = folder === "" ? [] : folder.split("/");
    for (let depth = 0; depth < segments.length && !this.setup.options.includeIgnored; depth++) {
      const path = segments
        .slice(0, depth)
        .map((name) => `${name}/`)
        .join("");
      const view = this.read(path);
      if (view) scope = this.enter(view, scope);
      if (!scope.ignoresFolder(path, segments[depth] as string)) continue;
      scope = IgnoreScope.empty;
      break;
    }
    return { path: folder === "" ? "" : `${folder}/`, depth: 0, scope };
  }

  private enter(view: FolderView, scope: IgnoreScope): IgnoreScope {
    return this.setup.options.includeIgnored ? scope : view.enter(scope);
  }

  private read(path: string): FolderView | undefined {
    try {
      return this.setup.folders.read(path, this.setup.held);
    } catch {
      noteSkip(this.ledger, "denied", path);
      return undefined;
    }
  }
}
