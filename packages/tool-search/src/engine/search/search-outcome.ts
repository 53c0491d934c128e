import type { SkipLedger } from "../walk/skip-ledger.js";

export interface SearchOutcome {
  readonly files: readonly FileMatches[];
  readonly totalLines: number;
  readonly totalFiles: number;
  readonly searchedFiles: number;
  readonly skipped: SkipLedger;
  /** Why the totals are lower bounds, if they are. */
  readonly incomplete?: "deadline" | "entries" | undefined;
}

export interface FileMatches {
  readonly path: string;
  /** Matches in the whole file; in line mode, a matching line is one. */
  readonly total: number;
  readonly lines: readonly FoundLine[];
}

export interface FoundLine {
  /** The number of its first line. */
  readonly line: number;
  /** All lines of a multi-line match, without the last line end. */
  readonly text: string;
  /** The first match as indexes into `text`; absent for context lines. */
  readonly match?: { readonly start: number; readonly end: number };
}

/** A file with matches, before any line is kept. */
export interface FileTally {
  readonly path: string;
  readonly lines: number;
  /** Matching lines that look like a definition. */
  readonly definitions: number;
}
