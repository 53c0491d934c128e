import { mergeLedgers, type SkipLedger } from "../walk/skip-ledger.js";
import type { CollectedLines, WantedLines } from "./collect-lines.js";
import { rankFiles } from "./rank-files.js";
import type { FileTally, SearchOutcome } from "./search-outcome.js";
import type { LineContext, SearchRequest } from "./search-request.js";

/** What one thread counted; plain data. */
export interface SearchTally {
  readonly best: readonly FileTally[];
  readonly totalLines: number;
  readonly totalFiles: number;
  readonly searchedFiles: number;
  readonly skipped: SkipLedger;
  readonly incomplete?: SearchOutcome["incomplete"];
}

/** Files beyond this rank can have no line in the answer, since every file has at least one. */
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

/** The files, and the lines in them, that the request asks for. */
function chooseLines(tally: SearchTally, request: SearchRequest): WantedLines[] {
  const { offset, limit, filesOnly, order } = request;
  const ranked = rankFiles(tally.best, order);
  if (filesOnly) return ranked.slice(offset, offset + limit).map(({ path }) => ({ path, skip: 0, take: 0 }));
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
