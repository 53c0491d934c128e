/** Which part of a tree is looked at; plain data, so that it can cross to a worker. */
export interface WalkOptions {
  /** Relative to the root, without a trailing slash; "" for the root. */
  readonly folder: string;
  readonly includeHidden: boolean;
  readonly includeIgnored: boolean;
  readonly maxDepth: number;
  readonly maxEntries: number;
  /** Only paths that match one of these, as a `.gitignore` line would. */
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
