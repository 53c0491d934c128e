import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import { SearchKernel } from "../kernel/search-kernel.js";
import { type CompiledPattern, compilePattern } from "../match/compile-pattern.js";
import { type CollectedLines, collectLines } from "../search/collect-lines.js";
import { BATCH_BYTES, type FileReading, FileSearcher } from "../search/file-searcher.js";
import { SearchControl, SearchStopped } from "../search/search-control.js";
import type { FileMatches, SearchOutcome } from "../search/search-outcome.js";
import type { SearchRequest } from "../search/search-request.js";
import { chooseAnswer, filesToKeep, outcomeOf, type SearchTally } from "../search/search-tally.js";
import { mergeLedgers } from "../walk/skip-ledger.js";
import type { SearchSource } from "./search-source.js";
import { SourceWalker } from "./source-walker.js";

/** Searches anything that can list folders and read files, with the answers that the engine on disk gives. */
export class PortableSearchEngine {
  private readonly kernel = new SearchKernel(BATCH_BYTES * 2);
  private queue: Promise<unknown> = Promise.resolve();

  /** Rejects with the signal's reason when it is aborted, and with PatternError for a pattern that cannot run. */
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
    return outcomeOf(tally, await this.collect(chooseAnswer(tally, request)));
  }

  private async searchAll(): Promise<SearchOutcome["incomplete"]> {
    const { file } = this.setup.request;
    for await (const path of file === undefined ? this.walker.files() : [file]) {
      const bytes = await this.read(path);
      this.searcher.add(path, (_, at) => this.place(bytes, at));
    }
    this.searcher.flush();
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
      const lines = this.control.attempt(() => collectLines(collection, wanted, length));
      if (lines.length === 0) incomplete = "deadline";
      found.push(...lines);
    }
    return { files: found, incomplete };
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
