import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import { SearchKernel } from "../kernel/search-kernel.js";
import { type CompiledPattern, compilePattern } from "../match/compile-pattern.js";
import { collectLines } from "../search/collect-lines.js";
import { BATCH_BYTES, type FileReading, FileSearcher } from "../search/file-searcher.js";
import { SearchControl, SearchStopped } from "../search/search-control.js";
import type { FileMatches, SearchOutcome } from "../search/search-outcome.js";
import type { SearchRequest } from "../search/search-request.js";
import { chooseLines, filesToKeep, type SearchTally } from "../search/search-tally.js";
import { mergeLedgers } from "../walk/skip-ledger.js";
import type { SearchSource } from "./search-source.js";
import { SourceWalker } from "./source-walker.js";

/** Searches anything that can list folders and read files, with the answers that the engine on disk gives. */
export class PortableSearchEngine {
  private readonly kernel = new SearchKernel(BATCH_BYTES * 2);
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly source: SearchSource) {}

  /** Rejects with the signal's reason when it is aborted, and with PatternError for a pattern that cannot run. */
  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    const pattern = compilePattern(request.pattern);
    const turn = this.queue.then(() => this.run(pattern, request, signal));
    this.queue = turn.catch(() => {});
    return turn;
  }

  private async run(
    pattern: CompiledPattern,
    request: SearchRequest,
    signal?: AbortSignal,
  ): Promise<SearchOutcome> {
    signal?.throwIfAborted();
    const control = new SearchControl(() => signal?.aborted ?? false, request.limits);
    const { kernel } = this;
    const searcher = new FileSearcher({
      kernel,
      pattern,
      control,
      order: request.order,
      keep: filesToKeep(request),
    });
    const walker = new SourceWalker(this.source, request.walk);
    let incomplete: SearchOutcome["incomplete"];
    try {
      await this.searchAll(searcher, walker, request);
      if (walker.exhausted) incomplete = "entries";
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SearchStopped)) throw error;
      incomplete = "deadline";
    }
    const { totalLines, totalFiles, searchedFiles } = searcher;
    const skipped = mergeLedgers(walker.ledger, searcher.ledger);
    const tally: SearchTally = {
      best: searcher.best(),
      totalLines,
      totalFiles,
      searchedFiles,
      skipped,
      incomplete,
    };
    const files = await this.collect(searcher, { pattern, request, control }, tally);
    return { files, totalLines, totalFiles, searchedFiles, skipped, incomplete };
  }

  private async searchAll(
    searcher: FileSearcher,
    walker: SourceWalker,
    request: SearchRequest,
  ): Promise<void> {
    const paths = request.file === undefined ? walker.files() : [request.file];
    for await (const path of paths) {
      const bytes = await this.read(path, request.limits.maxFileBytes);
      searcher.add(path, (at) => this.place(bytes, at));
    }
    searcher.flush();
  }

  private async collect(
    searcher: FileSearcher,
    {
      pattern,
      request,
      control,
    }: { pattern: CompiledPattern; request: SearchRequest; control: SearchControl },
    tally: SearchTally,
  ): Promise<FileMatches[]> {
    const { before, after, limits } = request;
    const { kernel } = this;
    const collection = { kernel, matcher: searcher.matcher, multiline: pattern.multiline, before, after };
    const found: FileMatches[] = [];
    control.startCollecting();
    for (const wanted of chooseLines(tally, request)) {
      const length = this.place(await this.read(wanted.path, limits.maxFileBytes), searcher.textStart);
      if (typeof length === "number")
        found.push(...control.attempt(() => collectLines(collection, wanted, length)));
    }
    return found;
  }

  private async read(path: string, maxBytes: number): Promise<Uint8Array | "tooLarge" | "denied"> {
    try {
      const bytes = await this.source.readBytes(path);
      return bytes.length > maxBytes ? "tooLarge" : bytes;
    } catch {
      return "denied";
    }
  }

  private place(bytes: Uint8Array | "tooLarge" | "denied", at: number): FileReading {
    if (typeof bytes === "string") return bytes;
    this.kernel.reserveText(at - KERNEL_LAYOUT.text + bytes.length + 1);
    this.kernel.bytes.set(bytes, at);
    return bytes.length;
  }
}
