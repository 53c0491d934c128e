import type { GuardModule, PathGuard } from "./path-guard.js";

export interface NodeSearchEngineOptions {
  /** Absolute, with links resolved. */
  readonly root: string;
  readonly guard?: PathGuard | undefined;
  /** Provides the worker files on demand. Without it, everything runs on the caller's thread, in slices. */
  readonly threads?: (() => SearchThreads) | undefined;
  /** The number of files from which threads help. */
  readonly poolFrom?: number | undefined;
  /** How long a file must have been unchanged before its content is cached; for tests. */
  readonly settledMs?: number | undefined;
}

interface SearchThreads {
  /** The compiled worker. */
  readonly entry: URL;
  /** The same guard in a form that threads can load. With a guard but without this, no thread is used. */
  readonly guard?: GuardModule | undefined;
}
