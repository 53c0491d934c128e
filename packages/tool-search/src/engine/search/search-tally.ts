import { mergeLedgers, type SkipLedger } from "../walk/skip-ledger.js";
import type { CollectedLines, WantedLines } from "./collect-lines.js";
import { rankFiles } from "./rank-files.js";
import type { FileTally, SearchOutcome } from "./search-outcome.js";
import type { LineContext, SearchRequest } from "./search-request.js";

/** The counts of one thread, as plain data. */
export interface SearchTally {
  readonly best: readonly FileTally[];
  readonly totalLines: number;
  readonly totalFiles: number;
  readonly searchedFiles: number;
  readonly skipped: SkipLedger;
  readonly incomplete?: SearchOutcome["incomplete"];
}

/** Returns how many files can have a line in the answer, since every file has at least one. */
export function filesToKeep({ offset, limit }: SearchRequest): number {
  return offset + limit;
}

export function mergeTallies(left: SearchTally, right: SearchTally): SearchTally {
  return {
    best: [...left.best, ...right.best],
    totalLines: left.totalLines + right.totalLines,
    totalFiles: left.totalFiles + right.totalFiles,
    searchedFiles: left.searchedFiles + right.searchedFiles,
    skipped: mergeLedgers(left.skipped, right.skipped),
    incomplete: left.incomplete ?? right.incomplete,
  };
}

export function outcomeOf(tally: SearchTally, collected: CollectedLines): SearchOutcome {
  const { best: _, ...totals } = tally;
  return { ...totals, files: collected.files, incomplete: tally.incomplete ?? collected.incomplete };
}

/** Returns the files of a request for files only; nothing is read again. */
export function chooseFiles(tally: SearchTally, { offset, limit, order }: SearchRequest): CollectedLines {
  const chosen = rankFiles(tally.best, order).slice(offset, offset + limit);
  return { files: chosen.map(({ path, lines }) => ({ path, total: lines, lines: [] })) };
}

/** What to collect from which files. */
export interface WantedAnswer {
  readonly files: readonly WantedLines[];
  readonly context: LineContext;
}

export function chooseAnswer(tally: SearchTally, request: SearchRequest): WantedAnswer {
  const { context } = request;
  return {
    files: chooseLines(tally, request),
    context: context === "auto" ? autoContext(tally.totalLines) : context,
  };
}

// A single match is read in full, many are only skimmed.
function autoContext(totalLines: number): LineContext {
  const lines = totalLines === 1 ? 50 : totalLines <= 3 ? 15 : 2;
  return { before: lines, after: lines };
}

/** Returns the files and lines that the request asks for. */
function chooseLines(tally: SearchTally, request: SearchRequest): WantedLines[] {
  const { offset, limit, order } = request;
  const ranked = rankFiles(tally.best, order);
  const wanted: WantedLines[] = [];
  let passed = 0;
  for (const { path, lines } of ranked) {
    const skip = Math.max(0, offset - passed);
    const take = Math.min(lines - skip, offset + limit - Math.max(passed, offset));
    if (take > 0) wanted.push({ path, skip, take });
    passed += lines;
  }
  return wanted;
}
