import { setTimeout as sleep } from "node:timers/promises";
import { SearchKernel } from "../kernel/search-kernel.js";
import { type CompiledPattern, compilePattern } from "../match/compile-pattern.js";
import { BATCH_BYTES } from "../search/file-searcher.js";
import { SearchStopped } from "../search/search-control.js";
import type { SearchOutcome } from "../search/search-outcome.js";
import type { SearchRequest } from "../search/search-request.js";
import { chooseAnswer, chooseFiles, outcomeOf } from "../search/search-tally.js";
import type { FileFacts, ListRequest, RawListing } from "../walk/file-listing.js";
import { DiskSearch } from "./disk-search.js";
import { type AskedSearch, HelpedSearch } from "./helped-search.js";
import { IdlePreparation } from "./idle-preparation.js";
import { inSlices, Slice } from "./in-slices.js";
import { LazySearchPool } from "./lazy-search-pool.js";
import { LeadSearch } from "./lead-search.js";
import { factsOf, listFolder } from "./list-folder.js";
import type { NodeSearchEngineOptions } from "./node-search-engine-options.js";
import { orAborted } from "./or-aborted.js";
import { ThreadsLost } from "./threads-lost.js";
import { TreeKnowledge } from "./tree-knowledge.js";

/** Starting the first thread takes as long as searching this many files of a tree of unknown size. */
const FIRST_POOL_FROM = 1000;

/** Searches a folder on disk: small trees on this thread in slices, large ones with a pool of warm threads. */
export class NodeSearchEngine {
  private kernel: SearchKernel | undefined;
  private readonly threadPool: LazySearchPool;
  private isDisposed = false;
  private readonly known: TreeKnowledge;
  private readonly ahead: IdlePreparation;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: NodeSearchEngineOptions) {
    this.known = new TreeKnowledge(options);
    this.threadPool = new LazySearchPool(options, () => this.known.sharedIndex);
    this.ahead = new IdlePreparation({
      root: options.root,
      folders: this.known.folders,
      mayOpen: this.mayOpen,
      onListed: (files) => {
        this.known.noteSize("", files);
        this.known.divideRoom();
      },
      openThreads: (signal) => this.threadPool.openAll(signal),
      search: (asked, signal) => this.lead(asked, signal),
    });
  }

  /** Rejects with the signal's reason on abort, and with PatternError for an invalid pattern. */
  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    signal?.throwIfAborted();
    const pattern = compilePattern(request.pattern);
    this.ahead.stop();
    const turn = this.queue.then(() => this.run(request, pattern, signal));
    // A cancelled search answers before its threads are free.
    this.queue = turn.catch(() => {}).then(() => this.threadPool.whenIdle());
    return orAborted(turn, signal);
  }

  /** Lists the files of a walk. Rejects with the signal's reason on abort. */
  list(request: ListRequest, signal: AbortSignal): Promise<RawListing> {
    const { root } = this.options;
    return listFolder({ root, folders: this.known.folders, mayOpen: this.mayOpen }, request, signal);
  }

  /** Returns size and time of each path, in order: undefined for a removed one, "link" for a link. */
  factsOf(paths: readonly string[]): (FileFacts | "link" | undefined)[] {
    return factsOf(this.options.root, paths);
  }

  /** The number of threads that the next large search will use. */
  get threads(): 1 | 2 {
    return this.threadPool.isFull ? 2 : 1;
  }

  /** Starts the worker threads before the first large search. Resolves when they are ready. */
  warm(): Promise<void> {
    return this.threadPool.warm();
  }

  /**
   * Uses idle time: lists the tree, starts threads for a large one, and indexes file contents. Stops on its signal or
   * when a search arrives, and does nothing once complete.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    if (this.ahead.isDone || this.isDisposed) return;
    const turn = this.queue.then(() => this.ahead.run(signal));
    this.queue = turn.catch(() => {}).then(() => this.threadPool.whenIdle());
    await turn;
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.ahead.stop();
    await this.threadPool.dispose();
  }

  // One at a time: the kernel's memory holds one search, and so does the queue of the threads.
  private async run(
    request: SearchRequest,
    pattern: CompiledPattern,
    signal: AbortSignal | undefined,
  ): Promise<SearchOutcome> {
    signal?.throwIfAborted();
    this.threadPool.keepBack();
    if (!request.follows) this.known.beginAnswer();
    const asked = {
      request,
      pattern,
      knowledge: this.known.next(request, this.ahead),
      isAlone: false,
      isQuiet: false,
    };
    try {
      return await this.lead(asked, signal);
    } catch (error) {
      if (error instanceof SearchStopped) signal?.throwIfAborted();
      if (this.isDisposed || !(error instanceof ThreadsLost)) throw error;
      return await this.lead({ ...asked, isAlone: true }, signal);
    }
  }

  private async lead(asked: AskedSearch, signal: AbortSignal | undefined): Promise<SearchOutcome> {
    const { request } = asked;
    const cancelled = { isSet: signal?.aborted ?? false };
    const search = this.searchOf(asked, () => cancelled.isSet);
    const lead = new LeadSearch(
      search,
      asked.isAlone || request.file !== undefined ? undefined : (this.options.poolFrom ?? FIRST_POOL_FROM),
    );
    const help = new HelpedSearch(lead, asked);
    const stop = () => {
      cancelled.isSet = true;
      help.team?.queue.stop();
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      if (!asked.isAlone && (asked.isQuiet || this.known.isLarge(request))) this.getHelp(help);
      await this.runInSlices(help);
      const own = await inSlices(search.finish());
      const { team } = help;
      const tally = team ? await team.finish(own) : own;
      if (request.file === undefined) this.known.noteSize(request.walk.folder, tally.searchedFiles);
      if (request.filesOnly) return outcomeOf(tally, chooseFiles(tally, request));
      const wanted = chooseAnswer(tally, request);
      return outcomeOf(tally, await (team?.isFull ? team.collect(wanted) : inSlices(search.collect(wanted))));
    } finally {
      signal?.removeEventListener("abort", stop);
      search.release();
      help.end();
      this.threadPool.fillLater();
    }
  }

  // Asked for every file: signals of different kinds would make V8 discard compiled code.
  private searchOf({ request, pattern, knowledge }: AskedSearch, isCancelled: () => boolean): DiskSearch {
    this.kernel ??= new SearchKernel(BATCH_BYTES * 6);
    return new DiskSearch({
      root: this.options.root,
      folders: this.known.foldersFor(request),
      index: knowledge === "none" ? undefined : this.known.openIndex(),
      learns: knowledge === "learn",
      keeps: true,
      request,
      pattern,
      kernel: this.kernel,
      mayOpen: this.mayOpen,
      isCancelled,
    });
  }

  private async runInSlices(help: HelpedSearch): Promise<void> {
    const slice = new Slice();
    const { isQuiet } = help.asked;
    for (let state = help.lead.step(); state !== "done"; state = help.lead.step()) {
      if (help.lead.wantsTeam) this.getHelp(help);
      if (state === "wait") await slice.pause(sleep(1, undefined, { ref: !isQuiet }));
      else if (slice.isOver) await slice.pause();
    }
  }

  // The first thread helps as soon as it runs; the search does not wait for it.
  private getHelp(help: HelpedSearch): void {
    if (help.isAsked) return;
    help.isAsked = true;
    this.threadPool.help((pool) => help.begin(pool));
  }

  private get mayOpen(): (path: string) => boolean {
    return this.options.guard?.mayOpen ?? (() => true);
  }
}
