import type { PatternOptions } from "../match/compile-pattern.js";
import type { WalkOptions } from "../walk/walk-options.js";

/** One search, as plain data that can be sent to a worker. */
export interface SearchRequest {
  readonly pattern: PatternOptions;
  readonly walk: WalkOptions;
  /** Search only this file, regardless of ignore files, and even if it is binary. */
  readonly file?: string | undefined;
  /** Restricts the walk to these files. */
  readonly among?: readonly string[] | undefined;
  readonly order: "path" | "relevance";
  /** Number of matching lines (or files, with `filesOnly`) to skip, and to return. */
  readonly offset: number;
  readonly limit: number;
  /** Count only: returns no lines, and `offset` and `limit` apply to files. */
  readonly filesOnly: boolean;
  /** Lines around each match; "auto" shows more of them the fewer matches there are. */
  readonly context: LineContext | "auto";
  readonly limits: SearchLimits;
  /** Part of the same answer as the previous search: files it found unchanged are not checked again. */
  readonly follows?: boolean | undefined;
}

export interface LineContext {
  readonly before: number;
  readonly after: number;
}

interface SearchLimits {
  readonly maxFileBytes: number;
  readonly fileMs: number;
  readonly callMs: number;
}

export const DEFAULT_LIMITS: SearchLimits = { maxFileBytes: 1024 * 1024, fileMs: 5000, callMs: 30_000 };
