import { Pace } from "@haft/core/workspace";
import type { Steps } from "@haft/text/regex";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import { SearchKernel } from "../kernel/search-kernel.js";
import { type CompiledPattern, compilePattern } from "../match/compile-pattern.js";
import { type CollectedLines, collectLines } from "../search/collect-lines.js";
import { BATCH_BYTES, type FileReading, FileSearcher } from "../search/file-searcher.js";
import { SearchControl, SearchStopped } from "../search/search-control.js";
import type { FileMatches, SearchOutcome } from "../search/search-outcome.js";
import type { SearchRequest } from "../search/search-request.js";
import {
  chooseAnswer,
  chooseFiles,
  filesToKeep,
  outcomeOf,
  type SearchTally,
} from "../search/search-tally.js";
import { mergeLedgers } from "../walk/skip-ledger.js";
import type { SearchSource } from "./search-source.js";
import { SourceWalker } from "./source-walker.js";

/** Searches anything that can list folders and read files, with the same results as the engine on disk. */
export class PortableSearchEngine {
  private readonly kernel = new SearchKernel(BATCH_BYTES * 2);
  private queue: Promise<unknown> = Promise.resolve();

  /** Rejects with the signal's reason on abort, and with PatternError for an unsupported pattern. */
  async search(source: SearchSource, request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    const pattern = compilePattern(request.pattern);
    const { kernel } = this;
    const turn = this.queue.then(() => new SourceSearch({ kernel, source, pattern, request, signal }).run());
    this.queue = turn.catch(() => {});
    return turn;
  }
}

interface SourceSearchSetup {
  readonly kernel: SearchKernel;
  readonly source: SearchSource;
  readonly pattern: CompiledPattern;
  readonly request: SearchRequest;
  readonly signal: AbortSignal | undefined;
}

class SourceSearch {
  private readonly control: SearchControl;
  private readonly searcher: FileSearcher;
  private readonly walker: SourceWalker;
  private readonly pace: Pace;

  constructor(private readonly setup: SourceSearchSetup) {
    const { kernel, source, pattern, request, signal } = setup;
    this.control = new SearchControl(() => signal?.aborted ?? false, request.limits);
    const { control } = this;
    this.searcher = new FileSearcher({
      kernel,
      pattern,
      control,
      order: request.order,
      keep: filesToKeep(request),
      keepBinary: request.file !== undefined,
    });
    this.walker = new SourceWalker(source, request.walk);
    this.pace = new Pace(signal);
  }

  async run(): Promise<SearchOutcome> {
    const { request, signal } = this.setup;
    signal?.throwIfAborted();
    const incomplete = await this.searchAll().catch((error) => {
      signal?.throwIfAborted();
      if (error instanceof SearchStopped) return "deadline" as const;
      throw error;
    });
    const { totalLines, totalFiles, searchedFiles } = this.searcher;
    const skipped = mergeLedgers(this.walker.ledger, this.searcher.ledger);
    const tally: SearchTally = {
      best: this.searcher.best(),
      totalLines,
      totalFiles,
      searchedFiles,
      skipped,
      incomplete,
    };
    if (request.filesOnly) return outcomeOf(tally, chooseFiles(tally, request));
    return outcomeOf(tally, await this.collect(chooseAnswer(tally, request)));
  }

  private async searchAll(): Promise<SearchOutcome["incomplete"]> {
    const { file, among } = this.setup.request;
    const isWanted = among && new Set(among);
    const waiting: Reading[] = [];
    const takeFirst = async (): Promise<void> => {
      const { path, reading } = waiting.shift() as Reading;
      const bytes = await reading;
      if (this.searcher.add(path, (_, at) => this.place(bytes, at))) await this.paced(this.searcher.flush());
    };
    for await (const path of file === undefined ? this.walker.files() : [file]) {
      if (isWanted && !isWanted.has(path)) continue;
      waiting.push({ path, reading: this.read(path) });
      if (waiting.length >= READS_AHEAD) await takeFirst();
    }
    while (waiting.length > 0) await takeFirst();
    await this.paced(this.searcher.flush());
    return this.walker.exhausted ? "entries" : undefined;
  }

  private async collect({ files, context }: ReturnType<typeof chooseAnswer>): Promise<CollectedLines> {
    const { kernel, pattern, request } = this.setup;
    const collection = {
      kernel,
      matcher: this.searcher.matcher,
      multiline: pattern.multiline,
      keepBinary: request.file !== undefined,
      context,
    };
    const found: FileMatches[] = [];
    let incomplete: SearchOutcome["incomplete"];
    this.control.startCollecting();
    for (const wanted of files) {
      const length = this.place(await this.read(wanted.path), this.searcher.textStart);
      if (typeof length !== "number") continue;
      const lines = await this.paced(this.control.attempt(() => collectLines(collection, wanted, length)));
      if (lines.length === 0) incomplete = "deadline";
      found.push(...lines);
    }
    return { files: found, incomplete };
  }

  private async paced<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await this.pace.breathe();
    }
  }

  private async read(path: string): Promise<Uint8Array | Exclude<FileReading, number>> {
    try {
      const bytes = await this.setup.source.readBytes(path);
      return bytes.length > this.setup.request.limits.maxFileBytes ? "tooLarge" : bytes;
    } catch {
      return "denied";
    }
  }

  private place(bytes: Uint8Array | Exclude<FileReading, number>, at: number): FileReading {
    if (typeof bytes === "string") return bytes;
    const { kernel } = this.setup;
    kernel.reserveText(at - KERNEL_LAYOUT.text + bytes.length + 1);
    kernel.bytes.set(bytes, at);
    return bytes.length;
  }
}

/** A file whose bytes are being read. */
interface Reading {
  readonly path: string;
  readonly reading: Promise<Uint8Array | Exclude<FileReading, number>>;
}

/** Files read at once: a remote source answers many requests in the time of one. */
const READS_AHEAD = 16;
