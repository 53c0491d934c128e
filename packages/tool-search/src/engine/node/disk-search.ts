import type { Steps } from "@haft/text/regex";
import { gramQuery } from "../filter/gram-query.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { CompiledPattern } from "../match/compile-pattern.js";
import type { CollectedLines } from "../search/collect-lines.js";
import { type FileReading, FileSearcher } from "../search/file-searcher.js";
import { SearchControl, SearchStopped } from "../search/search-control.js";
import type { SearchRequest } from "../search/search-request.js";
import { filesToKeep, type SearchTally, type WantedAnswer } from "../search/search-tally.js";
import { mergeLedgers } from "../walk/skip-ledger.js";
import { collectFromDisk } from "./collect-from-disk.js";
import { FileFilter } from "./file-filter.js";
import type { FileIndex } from "./file-index.js";
import type { FolderSource } from "./folder-view.js";
import { HeldPaths } from "./held-paths.js";
import { type ReadTarget, readFileInto } from "./read-file-into.js";
import { SecretLinks } from "./secret-links.js";
import { TreeWalker } from "./tree-walker.js";
import { withoutSecrets } from "./without-secrets.js";

interface DiskSearchSetup {
  readonly root: string;
  /** Provides the folders for `walk`; only set on the thread that leads a search. */
  readonly folders?: FolderSource | undefined;
  /** Known file contents. Not used for a search of one named file. */
  readonly index: FileIndex | undefined;
  /** Whether to add files to the index. */
  readonly learns?: boolean | undefined;
  /** Whether to keep the bytes of small files in it. */
  readonly keeps?: boolean | undefined;
  readonly request: SearchRequest;
  /** The compiled pattern of the request. */
  readonly pattern: CompiledPattern;
  readonly kernel: SearchKernel;
  readonly mayOpen: (path: string) => boolean;
  readonly isCancelled: () => boolean;
}

/** One thread's share of a search on disk. */
export class DiskSearch {
  private readonly control: SearchControl;
  private readonly searcher: FileSearcher;
  private readonly paths: HeldPaths;
  private readonly links: SecretLinks;
  private readonly filter: FileFilter | undefined;
  private readonly target: ReadTarget;
  private readonly read: (path: string, at: number) => FileReading;
  private readonly readKept: (path: string, at: number) => FileReading;
  private readonly among: ReadonlySet<string> | undefined;
  private walker: TreeWalker | undefined;
  private incomplete: SearchTally["incomplete"];

  constructor(private readonly setup: DiskSearchSetup) {
    const { request, pattern, kernel, isCancelled } = setup;
    this.among = request.among && new Set(request.among);
    this.paths = new HeldPaths(setup.root);
    this.links = new SecretLinks(this.paths, setup.mayOpen);
    this.control = new SearchControl(isCancelled, request.limits);
    const filter = this.makeFilter();
    this.filter = filter;
    this.target = {
      paths: this.paths,
      kernel,
      maxBytes: request.limits.maxFileBytes,
      onOpened: filter && ((descriptor) => filter.onOpened(descriptor)),
      onRead: filter && ((path, at, length) => filter.onRead(path, at, length)),
    };
    this.read = (path, at) => readFileInto(path, at, this.target);
    this.readKept = (_path, at) => (filter as FileFilter).copyKept(at);
    this.searcher = new FileSearcher({
      kernel,
      pattern,
      control: this.control,
      order: request.order,
      keep: filesToKeep(request),
      keepBinary: request.file !== undefined,
      onSearched: filter && setup.learns ? (texts, binary) => filter.learn(texts, binary) : undefined,
    });
  }

  get searchedFiles(): number {
    return this.searcher.searchedFiles;
  }

  /** Reads one more folder for the caller to distribute. Returns false if none is left, or the time is up. */
  walk(files: string[]): boolean {
    try {
      const { folders, request, mayOpen } = this.setup;
      this.control.pulse();
      if (request.file !== undefined) return this.walkOneFile(request.file, files);
      if (!folders) return false;
      this.walker ??= new TreeWalker({ folders, held: this.paths, options: request.walk, mayOpen });
      return this.among ? this.walkAmong(this.walker, files) : this.walker.step(files);
    } catch (error) {
      return this.endedBy(error);
    }
  }

  /** Returns false after the deadline. */
  *search(paths: readonly string[]): Steps<boolean> {
    try {
      // Files that need not be opened never fill a batch, after which the clock is checked too.
      this.control.pulse();
      for (let index = 0; index < paths.length; index++)
        if (this.searchFile(paths[index] as string)) yield* this.searcher.flush();
      return true;
    } catch (error) {
      return this.endedBy(error);
    }
  }

  *finish(): Steps<SearchTally> {
    if (!this.incomplete) yield* this.flush();
    const { totalLines, totalFiles, searchedFiles, ledger } = this.searcher;
    const skipped = this.walker ? mergeLedgers(this.walker.ledger, ledger) : ledger;
    const incomplete = this.incomplete ?? (this.walker?.exhausted ? "entries" : undefined);
    const counted = { totalLines, totalFiles, searchedFiles, skipped, incomplete };
    return withoutSecrets({ best: this.searcher.best(), ...counted }, this.links);
  }

  collect(wanted: WantedAnswer): Steps<CollectedLines> {
    const { request, kernel, pattern } = this.setup;
    this.control.startCollecting();
    return collectFromDisk(wanted, {
      control: this.control,
      target: { ...this.target, onOpened: undefined, onRead: undefined },
      at: this.searcher.textStart,
      collection: {
        kernel,
        matcher: this.searcher.matcher,
        multiline: pattern.multiline,
        keepBinary: request.file !== undefined,
        context: wanted.context,
      },
    });
  }

  /** Releases everything. Call it after the last step, even after a failure. */
  release(): void {
    this.paths.release();
  }

  private *flush(): Steps {
    try {
      yield* this.searcher.flush();
    } catch (error) {
      this.endedBy(error);
    }
  }

  private walkAmong(walker: TreeWalker, files: string[]): boolean {
    const found: string[] = [];
    const hasMore = walker.step(found);
    for (const path of found) if (this.among?.has(path)) files.push(path);
    return hasMore;
  }

  private walkOneFile(path: string, files: string[]): boolean {
    if (!this.setup.mayOpen(path) || this.links.isSecret(path)) return false;
    files.push(path);
    return false;
  }

  /** Returns whether the batch must be searched before the next file. */
  private searchFile(path: string): boolean {
    if (this.setup.isCancelled()) throw new SearchStopped("cancelled");
    const verdict = this.filter?.verdict(path);
    if (verdict !== "no match" && verdict !== "binary")
      return this.searcher.add(path, verdict === "kept" ? this.readKept : this.read);
    this.searcher.pass(verdict);
    return false;
  }

  private makeFilter(): FileFilter | undefined {
    const { root, index, kernel, request, learns = false, keeps = false } = this.setup;
    if (!index || request.file !== undefined) return undefined;
    const grams = gramQuery(this.setup.pattern.requirements);
    const { limits, follows = false } = request;
    const maxBytes = limits.maxFileBytes;
    return new FileFilter({ root, index, learns, keeps, kernel, grams, maxBytes, follows });
  }

  /** Returns false: no work happens after the deadline. */
  private endedBy(error: unknown): false {
    if (!(error instanceof SearchStopped) || error.reason === "cancelled") throw error;
    this.incomplete = "deadline";
    return false;
  }
}
