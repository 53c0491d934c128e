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

export interface DiskSearchSetup {
  readonly root: string;
  readonly folders: FolderSource;
  /** What is known of files; a search of one named file does without. */
  readonly index: FileIndex | undefined;
  readonly request: SearchRequest;
  /** That of the request. */
  readonly pattern: CompiledPattern;
  readonly kernel: SearchKernel;
  readonly mayOpen: (path: string) => boolean;
  readonly isCancelled: () => boolean;
}

const FILES_PER_STEP = 4;

/** One thread's share of a search on disk, cut into steps of a millisecond or so. */
export class DiskSearch {
  private readonly control: SearchControl;
  private readonly searcher: FileSearcher;
  private readonly paths: HeldPaths;
  private readonly links: SecretLinks;
  private readonly filter: FileFilter | undefined;
  private readonly target: ReadTarget;
  private readonly read: (path: string, at: number) => FileReading;
  private walker: TreeWalker | undefined;
  private readonly files: string[] = [];
  private walked = false;
  private incomplete: SearchTally["incomplete"];

  constructor(private readonly setup: DiskSearchSetup) {
    const { request, pattern, kernel, isCancelled } = setup;
    this.paths = new HeldPaths(setup.root);
    this.links = new SecretLinks(this.paths, setup.mayOpen);
    this.control = new SearchControl(isCancelled, request.limits);
    const filter = this.makeFilter();
    this.filter = filter;
    this.target = {
      paths: this.paths,
      kernel,
      maxBytes: request.limits.maxFileBytes,
      onOpened: filter && ((path, descriptor) => filter.onOpened(path, descriptor)),
    };
    this.read = (path, at) => readFileInto(path, at, this.target);
    this.searcher = new FileSearcher({
      kernel,
      pattern,
      control: this.control,
      order: request.order,
      keep: filesToKeep(request),
      keepBinary: request.file !== undefined,
      onSearched: filter && ((texts, binary) => filter.learn(texts, binary)),
    });
  }

  get walkedFiles(): number {
    return this.searcher.searchedFiles + this.files.length;
  }

  /** Does a little of the work; false when all is done. Throws SearchStopped when it is cancelled. */
  step(): boolean {
    // A folder is done with before the next is read, so that it is held once.
    if (this.files.length === 0 && !this.walked) this.walked = !this.walk(this.files);
    else if (!this.searchSome()) return false;
    return !this.walked || this.files.length > 0;
  }

  /** Reads one more folder for the caller to share out; false when there is none, or no time. */
  walk(files: string[]): boolean {
    try {
      const { folders, request, mayOpen } = this.setup;
      this.control.pulse();
      if (request.file !== undefined) return this.walkOneFile(request.file, files);
      this.walker ??= new TreeWalker({ folders, held: this.paths, options: request.walk, mayOpen });
      return this.walker.step(files);
    } catch (error) {
      return this.endedBy(error);
    }
  }

  /** False when the deadline has passed. */
  search(paths: readonly string[]): boolean {
    try {
      for (const path of paths) this.searchFile(path);
      return true;
    } catch (error) {
      return this.endedBy(error);
    }
  }

  finish(): SearchTally {
    if (!this.incomplete) this.flush();
    const { totalLines, totalFiles, searchedFiles, ledger } = this.searcher;
    const skipped = this.walker ? mergeLedgers(this.walker.ledger, ledger) : ledger;
    const incomplete = this.incomplete ?? (this.walker?.exhausted ? "entries" : undefined);
    const counted = { totalLines, totalFiles, searchedFiles, skipped, incomplete };
    return this.withoutSecrets({ best: this.searcher.best(), ...counted });
  }

  /** Of the files that could be shown, none that is a sensitive file under another name, nor its count. */
  private withoutSecrets(tally: SearchTally): SearchTally {
    const secret = tally.best.filter(({ path }) => this.links.isSecret(path));
    if (secret.length === 0) return tally;
    const lines = secret.reduce((sum, file) => sum + file.lines, 0);
    return {
      ...tally,
      best: tally.best.filter((file) => !secret.includes(file)),
      totalLines: tally.totalLines - lines,
      totalFiles: tally.totalFiles - secret.length,
      skipped: { ...tally.skipped, sensitive: tally.skipped.sensitive + secret.length },
    };
  }

  collect(wanted: WantedAnswer): CollectedLines {
    const { request, kernel, pattern } = this.setup;
    this.control.startCollecting();
    return collectFromDisk(wanted, {
      control: this.control,
      target: { ...this.target, onOpened: undefined },
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

  /** To be called when no step will follow, whatever happened: nothing is held any more. */
  release(): void {
    this.paths.release();
  }

  private flush(): void {
    try {
      this.searcher.flush();
    } catch (error) {
      this.endedBy(error);
    }
  }

  private walkOneFile(path: string, files: string[]): boolean {
    if (this.walkedFiles > 0 || !this.setup.mayOpen(path) || this.links.isSecret(path)) return false;
    files.push(path);
    return false;
  }

  private searchSome(): boolean {
    try {
      for (let times = 0; times < FILES_PER_STEP; times++) {
        const path = this.files.pop();
        if (path === undefined) break;
        this.searchFile(path);
      }
      return true;
    } catch (error) {
      return this.endedBy(error);
    }
  }

  private searchFile(path: string): void {
    if (this.setup.isCancelled()) throw new SearchStopped("cancelled");
    const verdict = this.filter?.verdict(path);
    if (verdict) this.searcher.pass(verdict);
    else this.searcher.add(path, this.read);
  }

  private makeFilter(): FileFilter | undefined {
    const { root, index, kernel, request } = this.setup;
    if (!index || request.file !== undefined) return undefined;
    const grams = gramQuery(this.setup.pattern.requirements);
    return new FileFilter({ root, index, kernel, grams, maxBytes: request.limits.maxFileBytes });
  }

  /** False: no more work is done after the deadline. */
  private endedBy(error: unknown): false {
    if (!(error instanceof SearchStopped) || error.reason === "cancelled") throw error;
    this.incomplete = "deadline";
    return false;
  }
}
