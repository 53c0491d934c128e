import { IgnoreScope } from "@haft/text/path-rules";
import type { FolderEntry } from "../walk/folder-entry.js";
import {
  FolderSorter,
  type LeftOut,
  type PendingFolder,
  type SorterSetup,
  type StartFolder,
} from "../walk/folder-sorter.js";
import { noteSkip, type SkipLedger } from "../walk/skip-ledger.js";
import type { WalkOptions } from "../walk/walk-options.js";
import type { SearchSource } from "./search-source.js";

/** What listing asks for and searching does not. */
export interface SourceListing extends Pick<SorterSetup, "takeLinks" | "leaveOut"> {
  /** Where to begin, instead of the folder of the options. */
  readonly starts?: readonly StartFolder[] | undefined;
}

/** Walks a source by the rules of the walker on disk. */
export class SourceWalker {
  private readonly sorter: FolderSorter;
  private readonly pending: PendingFolder[] = [];

  constructor(
    private readonly source: SearchSource,
    private readonly options: WalkOptions,
    private readonly listing: SourceListing = {},
  ) {
    const { takeLinks, leaveOut } = listing;
    const mayOpen = (path: string) => source.mayOpen?.(path) ?? true;
    this.sorter = new FolderSorter({ options, mayOpen, takeLinks, leaveOut });
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

  get exhausted(): boolean {
    return this.sorter.exhausted && this.pending.length > 0;
  }

  async *files(): AsyncGenerator<string> {
    const { starts } = this.listing;
    if (starts) this.pending.push(...starts.map((start) => ({ ...start, scope: IgnoreScope.empty })));
    else this.pending.push(await this.firstFolder());
    while (!this.sorter.exhausted) {
      const folder = this.pending.pop();
      if (!folder) return;
      const entries = await this.read(folder.path);
      const scope = await this.enter(folder, entries);
      const files: string[] = [];
      this.sorter.take(this.sorter.sort({ ...folder, scope }, entries), { files, folders: this.pending });
      yield* files;
    }
  }

  private async firstFolder(): Promise<PendingFolder> {
    const { folder } = this.options;
    let scope = IgnoreScope.empty;
    const segments = folder === "" ? [] : folder.split("/");
    for (let depth = 0; depth < segments.length; depth++) {
      const path = segments
        .slice(0, depth)
        .map((name) => `${name}/`)
        .join("");
      scope = await this.enter({ path, depth, scope }, await this.read(path));
      if (!scope.ignoresFolder(path, segments[depth] as string)) continue;
      scope = IgnoreScope.empty;
      break;
    }
    return { path: folder === "" ? "" : `${folder}/`, depth: 0, scope };
  }

  private async read(path: string): Promise<readonly FolderEntry[]> {
    try {
      return await this.source.list(path.slice(0, -1));
    } catch {
      noteSkip(this.ledger, "denied", path);
      return [];
    }
  }

  private async enter(folder: PendingFolder, entries: readonly FolderEntry[]): Promise<IgnoreScope> {
    // A link holds no rules, as in git.
    const names = new Set(entries.filter(({ kind }) => kind === "file").map(({ name }) => name));
    const isRepository = entries.some(({ name }) => name === ".git");
    if (this.options.includeIgnored || !(isRepository || names.has(".gitignore") || names.has(".ignore")))
      return folder.scope;
    return folder.scope.enter(folder.path, {
      ignore: names.has(".ignore") ? await this.text(`${folder.path}.ignore`) : undefined,
      gitignore: names.has(".gitignore") ? await this.text(`${folder.path}.gitignore`) : undefined,
      exclude: isRepository ? await this.text(`${folder.path}.git/info/exclude`) : undefined,
      isRepository,
    });
  }

  private async text(path: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await this.source.readBytes(path));
    } catch {
      return undefined;
    }
  }
}
