import type { ContextOf, FileEntry } from "@haft/core";
import type { ListDirectoryResult, ListedEntry } from "./list-directory-schema.js";
import { readDirectory, type ViewOptions } from "./read-directory.js";

export interface Listing extends ViewOptions {
  readonly maxDepth: number;
  readonly maxResults: number;
}

type ListedLevels = Omit<ListDirectoryResult, "path" | "absolutePath">;

type ListContext = Pick<ContextOf<{ permissions: readonly ["ReadFiles"] }>, "workspace" | "signal">;

/**
 * Lists breadth first, so that a limit cuts off deep entries and not alphabetically late ones. Past the limit it
 * keeps counting for a while, to report how much is missing.
 */
export async function listLevels(
  root: string,
  listing: Listing,
  context: ListContext,
): Promise<ListedLevels> {
  const lister = new LevelLister(listing, context);
  let level: readonly string[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const directory of level) next.push(...(await lister.take(directory, directory === root)));
    level = depth < listing.maxDepth ? next : [];
  }
  return lister.result();
}

class LevelLister {
  readonly #listing: Listing;
  readonly #context: ListContext;
  readonly #entries: ListedEntry[] = [];
  readonly #omitted: { path: string; count: number }[] = [];
  readonly #countUntil = performance.now() + COUNT_MS;
  #total = 0;
  #totalExact = true;
  #hidden = 0;
  #ignored = 0;
  readonly #unobeyed = new Map<string, number>();

  constructor(listing: Listing, context: ListContext) {
    this.#listing = listing;
    this.#context = context;
  }

  /** Adds one directory and returns its subdirectories. */
  async take(directory: string, isRoot: boolean): Promise<readonly string[]> {
    const { workspace, signal } = this.#context;
    signal.throwIfAborted();
    if (this.#isSpent) {
      this.#totalExact = false;
      return [];
    }
    const view = await readDirectory(directory, this.#listing, workspace).catch((error) => {
      // Directories that are forbidden or have disappeared are listed but not entered.
      if (isRoot) throw error;
      return { shown: [], hidden: 0, ignored: 0, unobeyed: new Map<string, number>() };
    });
    this.#hidden += view.hidden;
    this.#ignored += view.ignored;
    for (const [folder, lines] of view.unobeyed) this.#unobeyed.set(folder, lines);
    this.#total += view.shown.length;
    const kept = view.shown.slice(0, this.#listing.maxResults - this.#entries.length);
    for (const entry of kept) this.#entries.push(await this.#listed(entry));
    if (kept.length < view.shown.length)
      this.#omitted.push({
        path: directory === "" ? "." : directory,
        count: view.shown.length - kept.length,
      });
    return view.shown
      .filter(({ type, ignored }) => type === "directory" && ignored !== true)
      .map(({ path }) => path);
  }

  result(): ListedLevels {
    return {
      entries: this.#entries,
      total: this.#total,
      totalExact: this.#totalExact,
      truncated: this.#entries.length < this.#total || !this.#totalExact,
      omitted: this.#omitted,
      hidden: this.#hidden,
      ignored: this.#ignored,
      ignoreRules: [...this.#unobeyed.values()].reduce((sum, lines) => sum + lines, 0),
    };
  }

  get #isSpent(): boolean {
    const isFull = this.#entries.length >= this.#listing.maxResults;
    return isFull && (this.#total >= MAX_COUNTED || performance.now() > this.#countUntil);
  }

  async #listed(entry: FileEntry): Promise<ListedEntry> {
    const { name, path, type, size, target, outside, ignored, unnamed } = entry;
    return {
      name,
      path,
      type,
      size,
      modified: new Date(entry.modifiedMs).toISOString(),
      ...(target === undefined ? {} : { target }),
      ...(outside === true ? { outside } : {}),
      ...(unnamed === true ? { unnamed } : {}),
      ...(ignored === true ? { ignored, ...(await this.#countBelow(path)) } : {}),
    };
  }

  async #countBelow(path: string): Promise<{ entriesBelow?: number }> {
    if (!this.#listing.recursive) return {};
    const { workspace, signal } = this.#context;
    let entriesBelow = 0;
    const options = { includeHidden: true, includeIgnored: true, signal };
    for await (const _entry of workspace.walk(path, options)) {
      entriesBelow += 1;
      if (entriesBelow >= MAX_COUNTED || performance.now() > this.#countUntil) break;
    }
    return { entriesBelow };
  }
}

const MAX_COUNTED = 50_000;
const COUNT_MS = 1_000;
