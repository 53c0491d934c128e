import { setImmediate } from "node:timers/promises";
import { SearchKernel } from "../kernel/search-kernel.js";
import { type CompiledPattern, compilePattern } from "../match/compile-pattern.js";
import { BATCH_BYTES } from "../search/file-searcher.js";
import { SearchStopped } from "../search/search-control.js";
import type { SearchOutcome } from "../search/search-outcome.js";
import type { SearchRequest } from "../search/search-request.js";
import { chooseAnswer, outcomeOf } from "../search/search-tally.js";
import { DiskSearch } from "./disk-search.js";
import { FileIndex, type SharedFileIndex, shareFileIndex } from "./file-index.js";
import { FolderCache } from "./folder-cache.js";
import type { FolderSource } from "./folder-view.js";
import { orAborted } from "./or-aborted.js";
import type { GuardModule, PathGuard } from "./path-guard.js";
import type { SearchPool } from "./search-pool.js";
import { ThreadsLost } from "./threads-lost.js";

export interface NodeSearchEngineOptions {
  /** Absolute and real. */
  readonly root: string;
  readonly guard?: PathGuard | undefined;
  /** What threads load, asked for when there is work for them; without it all runs on the caller's, in slices. */
  readonly threads?: (() => SearchThreads) | undefined;
  /** From this many files on, two threads beat one. */
  readonly poolFrom?: number | undefined;
  /** How long a file must have been unchanged before what it holds is kept; for tests. */
  readonly settledMs?: number | undefined;
}

export interface SearchThreads {
  /** The compiled worker. */
  readonly entry: URL;
  /** The guard again, in a form that threads can load. With a guard and without this, no thread is used. */
  readonly guard?: GuardModule | undefined;
}

const SLICE_MS = 8;
const POOL_FROM = 1000;

/** Searches a folder on disk: small trees on this thread in slices, large ones on worker threads that stay warm. */
export class NodeSearchEngine {
  private kernel: SearchKernel | undefined;
  private pool: SearchPool | undefined;
  private opening: Promise<void> | undefined;
  private isDisposed = false;
  /** What is known of the tree's folders; whoever lists them with the same guard may use it. */
  readonly folders: FolderSource;
  private sharedIndex: SharedFileIndex | undefined;
  private index: FileIndex | undefined;
  private isFirst = true;
  private running = 0;
  private readonly sizes = new Map<string, number>();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: NodeSearchEngineOptions) {
    this.folders = new FolderCache(options.root);
  }

  /** Rejects with the signal's reason when it is aborted, and with PatternError for a pattern that cannot run. */
  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    signal?.throwIfAborted();
    const pattern = compilePattern(request.pattern);
    if (this.running === 0) this.index?.tidy();
    const { answer, ended } = this.begin({ request, pattern }, signal);
    this.running++;
    void ended.then(() => this.running--);
    return answer;
  }

  /** How many threads the next large search will use. */
  get threads(): 1 | 2 {
    return this.pool?.ready ? 2 : 1;
  }

  /** Starts the worker threads ahead of the first large search; resolves when they are ready. */
  async warm(): Promise<void> {
    await this.openPool();
    await this.pool?.whenReady();
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
    await this.opening;
    await this.pool?.dispose();
  }

  // A cancelled search answers before it has ended.
  private begin(asked: AskedSearch, signal: AbortSignal | undefined): BegunSearch {
    const { pool } = this;
    const { request } = asked;
    if (!pool?.ready || (this.sizes.get(request.walk.folder) ?? 0) < this.poolFrom)
      return this.beginHere(asked, signal);
    const answer = pool.search(request, signal).catch((error: unknown) => {
      if (this.isDisposed || !(error instanceof ThreadsLost)) throw error;
      return this.beginHere(asked, signal).answer;
    });
    return { answer, ended: Promise.allSettled([answer, pool.whenIdle()]).then(() => this.queue) };
  }

  private beginHere(asked: AskedSearch, signal: AbortSignal | undefined): BegunSearch {
    const turn = this.queue.then(() => this.searchHere(asked, signal));
    this.queue = turn.catch(() => {});
    return { answer: orAborted(turn, signal), ended: this.queue };
  }

  // Small searches, which are most, never load what threads need.
  private openPool(): Promise<void> {
    // Threads only make it faster: a program bundled into one CommonJS file cannot name the file they start from.
    this.opening ??= this.makePool().catch(() => undefined);
    return this.opening;
  }

  private async makePool(): Promise<void> {
    const { root, guard, threads } = this.options;
    const setup = threads?.();
    if (!setup || (guard && !setup.guard)) return;
    const { SearchPool } = await import("./search-pool.js");
    if (this.isDisposed) return;
    this.openIndex();
    this.pool = new SearchPool(setup.entry, { root, guard: setup.guard, index: this.sharedIndex });
  }

  private openIndex(): FileIndex | undefined {
    this.sharedIndex ??= shareFileIndex(this.options.root, this.options.settledMs);
    this.index ??= this.sharedIndex && new FileIndex(this.sharedIndex);
    return this.index;
  }

  private get poolFrom(): number {
    return this.options.poolFrom ?? POOL_FROM;
  }

  // One at a time: the kernel's memory holds one search.
  private async searchHere({ request, pattern }: AskedSearch, signal?: AbortSignal): Promise<SearchOutcome> {
    signal?.throwIfAborted();
    this.kernel ??= new SearchKernel(BATCH_BYTES * 6);
    // The first search is often the only one of a process: it learns nothing for others.
    const index = this.isFirst ? undefined : this.openIndex();
    this.isFirst = false;
    const search = new DiskSearch({
      root: this.options.root,
      folders: this.folders,
      index,
      request,
      pattern,
      kernel: this.kernel,
      mayOpen: this.options.guard?.mayOpen ?? (() => true),
      isCancelled: () => signal?.aborted ?? false,
    });
    try {
      await this.runInSlices(search, request);
      const tally = search.finish();
      if (request.file === undefined) this.sizes.set(request.walk.folder, search.walkedFiles);
      return outcomeOf(tally, search.collect(chooseAnswer(tally, request)));
    } catch (error) {
      if (error instanceof SearchStopped) signal?.throwIfAborted();
      throw error;
    } finally {
      search.release();
    }
  }

  // The pool is started beside the first large search and serves the next one.
  private async runInSlices(search: DiskSearch, request: SearchRequest): Promise<void> {
    let until = performance.now() + SLICE_MS;
    while (search.step()) {
      if (performance.now() < until) continue;
      if (request.file === undefined && search.walkedFiles >= this.poolFrom)
        void this.openPool().then(() => this.pool?.start());
      await setImmediate();
      until = performance.now() + SLICE_MS;
    }
  }
}

interface AskedSearch {
  readonly request: SearchRequest;
  readonly pattern: CompiledPattern;
}

interface BegunSearch {
  readonly answer: Promise<SearchOutcome>;
  /** Settles, and never rejects, when no thread is at it any more. */
  readonly ended: Promise<unknown>;
}
