import { cutIgnoreText, IgnoreScope, MAX_IGNORE_FILE_BYTES } from "@haft/text/path-rules";
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

/** Options for listing that searching does not use. */
interface SourceListing extends Pick<SorterSetup, "takeLinks" | "leaveOut"> {
  /** Where to start, in place of the folder of the options. */
  readonly starts?: readonly StartFolder[] | undefined;
}

/** Walks a source by the rules of the walker on disk. */
export class SourceWalker {
  private readonly sorter: FolderSorter;
  private readonly pending: PendingFolder[] = [];
  /** Folders that are listed ahead of their turn: a remote source answers several requests in the time of one. */
  private readonly ahead = new Map<string, Promise<readonly FolderEntry[] | undefined>>();

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
      for (const next of this.pending.slice(-FOLDERS_AHEAD)) void this.startListing(next.path);
      const entries = await this.read(folder.path);
      const scope = await this.enter(folder, entries);
      if (scope !== folder.scope) this.ledger.ignoreRules += scope.passedOver;
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
    const entries = await this.startListing(path);
    this.ahead.delete(path);
    if (entries === undefined) noteSkip(this.ledger, "denied", path);
    return entries ?? [];
  }

  private startListing(path: string): Promise<readonly FolderEntry[] | undefined> {
    const started = this.ahead.get(path) ?? this.source.list(path.slice(0, -1)).catch(() => undefined);
    this.ahead.set(path, started);
    return started;
  }

  private async enter(folder: PendingFolder, entries: readonly FolderEntry[]): Promise<IgnoreScope> {
    // A link contains no rules, as in git.
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
      const bytes = await this.source.readBytes(path);
      const text = new TextDecoder().decode(bytes.subarray(0, MAX_IGNORE_FILE_BYTES));
      return bytes.length > MAX_IGNORE_FILE_BYTES ? cutIgnoreText(text) : text;
    } catch {
      return undefined;
    }
  }
}

const FOLDERS_AHEAD = 8;
