import type { PatternOptions } from "../match/compile-pattern.js";
import type { WalkOptions } from "../walk/walk-options.js";

/** One search; plain data, so that it can cross to a worker. */
export interface SearchRequest {
  readonly pattern: PatternOptions;
  readonly walk: WalkOptions;
  /** Search this one file and nothing else, whatever ignore files say, and even when it is binary. */
  readonly file?: string | undefined;
  readonly order: "path" | "relevance";
  /** Matching lines (or files, with `filesOnly`) to leave out from the front, and to return. */
  readonly offset: number;
  readonly limit: number;
  /** Only count: no lines are returned, and `offset` and `limit` are about files. */
  readonly filesOnly: boolean;
  /** Lines around each match; "auto" gives more of them the fewer matches there are. */
  readonly context: LineContext | "auto";
  readonly limits: SearchLimits;
}

export interface LineContext {
  readonly before: number;
  readonly after: number;
}

export interface SearchLimits {
  readonly maxFileBytes: number;
  readonly fileMs: number;
  readonly callMs: number;
}

export const DEFAULT_LIMITS: SearchLimits = { maxFileBytes: 1024 * 1024, fileMs: 5000, callMs: 30_000 };
