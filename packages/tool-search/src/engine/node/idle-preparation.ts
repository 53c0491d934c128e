import { compilePattern } from "../match/compile-pattern.js";
import type { SearchOutcome } from "../search/search-outcome.js";
import { DEFAULT_LIMITS, type SearchRequest } from "../search/search-request.js";
import { DEFAULT_WALK } from "../walk/walk-options.js";
import type { FolderSource } from "./folder-view.js";
import { HeldPaths } from "./held-paths.js";
import type { AskedSearch } from "./helped-search.js";
import { Slice } from "./in-slices.js";
import { Practice } from "./practice.js";
import { TreeWalker } from "./tree-walker.js";

export interface PreparationSetup {
  readonly root: string;
  readonly folders: FolderSource;
  readonly mayOpen: (path: string) => boolean;
  /** Called with the number of files in the tree. */
  readonly onListed: (files: number) => void;
  /** Resolves to true if both threads run. */
  readonly openThreads: (signal: AbortSignal) => Promise<boolean>;
  readonly search: (asked: AskedSearch, signal: AbortSignal) => Promise<SearchOutcome>;
}

const SLICE_MS = 4;
const THREADS_FROM = 1000;

/** A search without matches, run only to fill the index. */
const LEARNING: SearchRequest = {
  pattern: { pattern: "\u0001 haft learns \u0001", literal: true },
  walk: DEFAULT_WALK,
  order: "path",
  offset: 0,
  limit: 1,
  filesOnly: true,
  context: { before: 0, after: 0 },
  limits: DEFAULT_LIMITS,
};

/** The work of an engine before its first search and after each one, while no call waits. */
export class IdlePreparation {
  /** Whether everything that can be cached is known. */
  hasLearntAll = false;
  /** Whether some file contents are known, maybe not all. */
  hasLearnt = false;
  private readonly practice = new Practice();
  private aborter: AbortController | undefined;

  constructor(private readonly setup: PreparationSetup) {}

  /** Rejects with the reason of the signal on abort, or when `stop` is called. */
  async run(signal: AbortSignal): Promise<void> {
    this.aborter = new AbortController();
    const ends = AbortSignal.any([signal, this.aborter.signal]);
    const count = await this.listTree(ends);
    this.setup.onListed(count);
    const hasThreads = count >= THREADS_FROM && (await this.setup.openThreads(ends));
    ends.throwIfAborted();
    const search = (request: SearchRequest) => {
      const pattern = compilePattern(request.pattern);
      const asked = { request, pattern, knowledge: "learn", isAlone: !hasThreads, isQuiet: true } as const;
      return this.setup.search(asked, ends);
    };
    this.hasLearnt = true;
    if (!this.hasLearntAll) await search(LEARNING);
    this.hasLearntAll = true;
    await this.practice.run(search, ends);
  }

  get isDone(): boolean {
    return this.hasLearntAll && this.practice.isDone;
  }

  /** Stops the current work; the threads are free within milliseconds. */
  stop(): void {
    this.aborter?.abort(new Error("a search came"));
  }

  // The listing stays in the folder cache, for every later search.
  private async listTree(signal: AbortSignal): Promise<number> {
    const { root, folders, mayOpen } = this.setup;
    const held = new HeldPaths(root);
    const files: string[] = [];
    let count = 0;
    try {
      const walker = new TreeWalker({ folders, held, options: DEFAULT_WALK, mayOpen });
      for (const slice = new Slice(SLICE_MS); walker.step(files); files.length = 0) {
        count += files.length;
        if (!slice.isOver) continue;
        await slice.pause();
        signal.throwIfAborted();
      }
      return count;
    } finally {
      held.release();
    }
  }
}
