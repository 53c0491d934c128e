import type { Steps } from "@haft/text/regex";
import type { SearchKernel } from "../kernel/search-kernel.js";
import type { CompiledPattern } from "../match/compile-pattern.js";
import { type TextMatcher, textMatcher } from "../match/text-matcher.js";
import { emptyLedger, noteSkip, type SkipLedger } from "../walk/skip-ledger.js";
import { looksLikeDefinition } from "./looks-like-definition.js";
import { rankFiles } from "./rank-files.js";
import { FileTimedOut, type SearchControl } from "./search-control.js";
import type { FileTally } from "./search-outcome.js";
import { type BatchedFile, TextBatch } from "./text-batch.js";

interface SearcherSetup {
  readonly kernel: SearchKernel;
  readonly pattern: CompiledPattern;
  readonly control: SearchControl;
  readonly order: "path" | "relevance";
  /** How many of the best files to keep; the others are only counted. */
  readonly keep: number;
  /** Whether to search binary files as text. */
  readonly keepBinary: boolean;
  /** Called with the searched texts, while they are still in the kernel's memory, and the binary files. */
  readonly onSearched?: ((texts: readonly BatchedFile[], binary: readonly BatchedFile[]) => void) | undefined;
}

/** The number of bytes read, or why there are none. */
export type FileReading = number | "tooLarge" | "denied";

export const BATCH_BYTES = 256 * 1024;

/** Counts matching lines, file by file. The order of the files does not affect the result. */
export class FileSearcher {
  readonly ledger: SkipLedger = emptyLedger();
  totalLines = 0;
  totalFiles = 0;
  searchedFiles = 0;
  readonly matcher: TextMatcher;
  private readonly batch: TextBatch;
  private tallies: FileTally[] = [];

  constructor(private readonly setup: SearcherSetup) {
    this.matcher = textMatcher(setup.kernel, setup.pattern, setup.control.pulse);
    this.batch = new TextBatch(setup.kernel, setup.keepBinary);
  }

  /**
   * `read` writes the file into the kernel's memory at the given address. Returns whether the batch is full, so that
   * `flush` must follow.
   */
  add(path: string, read: (path: string, at: number) => FileReading): boolean {
    const reading = read(path, this.batch.end);
    if (typeof reading === "string") {
      noteSkip(this.ledger, reading, path);
      return false;
    }
    this.searchedFiles++;
    if (reading > 0) this.batch.add(path, reading);
    return this.batch.size >= BATCH_BYTES;
  }

  /** Counts a file that is known, without reading it, to have no match or to be binary. */
  pass(verdict: "no match" | "binary"): void {
    if (verdict === "binary") this.ledger.binary++;
    else this.searchedFiles++;
  }

  *flush(): Steps {
    const { batch } = this;
    this.setup.control.pulse();
    const dropped = batch.dropBinary();
    this.ledger.binary += dropped.length;
    this.searchedFiles -= dropped.length;
    if (batch.files.length > 0) {
      if (batch.hasGaps || this.setup.pattern.multiline || !(yield* this.tryTogether())) {
        for (const file of batch.files) yield* this.searchOne(file);
      }
    }
    this.setup.onSearched?.(batch.files, dropped);
    batch.clear();
  }

  /** Where the text of a batch begins. */
  get textStart(): number {
    return this.batch.start;
  }

  /** The best files so far. */
  best(): FileTally[] {
    this.tallies = rankFiles(this.tallies, this.setup.order).slice(0, this.setup.keep);
    return this.tallies;
  }

  // Returns false if the batch took too long: each file then gets its own limit.
  private *tryTogether(): Steps<boolean> {
    const { batch } = this;
    const lines = new Uint32Array(batch.files.length);
    const definitions = new Uint32Array(batch.files.length);
    let current = 0;
    this.setup.control.startFile();
    try {
      yield* this.matcher.scan(batch.start, batch.end, (at) => {
        while (at >= (batch.files[current] as BatchedFile).end) current++;
        const found = lines[current] as number;
        lines[current] = found + 1;
        if (found < DEFINITIONS_CHECKED && this.isDefinition(at))
          definitions[current] = (definitions[current] as number) + 1;
      });
    } catch (error) {
      if (error instanceof FileTimedOut) return false;
      throw error;
    } finally {
      this.setup.control.endFile();
    }
    for (let index = 0; index < lines.length; index++) {
      const found = lines[index] as number;
      if (found > 0) this.note((batch.files[index] as BatchedFile).path, found, definitions[index] as number);
    }
    return true;
  }

  private *searchOne(file: BatchedFile): Steps {
    let lines = 0;
    let definitions = 0;
    this.setup.control.startFile();
    try {
      yield* this.matcher.scan(file.start, this.setup.pattern.multiline ? file.textEnd : file.end, (at) => {
        if (lines++ < DEFINITIONS_CHECKED && this.isDefinition(at)) definitions++;
      });
      this.note(file.path, lines, definitions);
    } catch (error) {
      if (!(error instanceof FileTimedOut)) throw error;
      noteSkip(this.ledger, "timedOut", file.path);
    } finally {
      this.setup.control.endFile();
    }
  }

  private isDefinition(at: number): boolean {
    if (this.setup.order === "path") return false;
    const { scan, bytes } = this.setup.kernel;
    return looksLikeDefinition(bytes, scan.lineStart(at, this.batch.start));
  }

  private note(path: string, lines: number, definitions: number): void {
    if (lines === 0) return;
    this.totalLines += lines;
    this.totalFiles++;
    this.tallies.push({ path, lines, definitions });
    if (this.tallies.length >= this.setup.keep * 4 + 1000) this.best();
  }
}

const DEFINITIONS_CHECKED = 4;
