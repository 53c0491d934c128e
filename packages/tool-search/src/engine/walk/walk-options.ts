/** Which part of a tree to visit, as plain data that can be sent to a worker. */
export interface WalkOptions {
  /** Relative to the root, without a trailing slash; "" for the root. */
  readonly folder: string;
  readonly includeHidden: boolean;
  readonly includeIgnored: boolean;
  readonly maxDepth: number;
  readonly maxEntries: number;
  /** Only paths that match one of these, with `.gitignore` semantics. */
  readonly globs: readonly string[];
  readonly exclude: readonly string[];
  /** Only these extensions, without the dot. */
  readonly extensions: readonly string[];
}

export const DEFAULT_WALK: WalkOptions = {
  folder: "",
  includeHidden: false,
  includeIgnored: false,
  maxDepth: 20,
  maxEntries: 1_000_000,
  globs: [],
  exclude: [],
  extensions: [],
};
