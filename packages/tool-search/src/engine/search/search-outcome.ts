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
  /** Matching lines in the whole file. */
  readonly total: number;
  readonly lines: readonly FoundLine[];
}

export interface FoundLine {
  readonly line: number;
  readonly text: string;
  /** The first match as indexes into `text`; absent for a line that is only context. */
  readonly match?: { readonly start: number; readonly end: number };
}

/** A file with matches, before any line is kept. */
export interface FileTally {
  readonly path: string;
  readonly lines: number;
  /** Matching lines that look like the definition of something. */
  readonly definitions: number;
}
