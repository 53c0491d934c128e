/** Decides whether a path, relative to the root, may be opened; folders come with a trailing slash. */
export interface PathGuard {
  mayOpen(path: string): boolean;
  /** The same guard for a worker thread, to which a function cannot cross. Without it, no worker is used. */
  readonly module?: GuardModule | undefined;
}

export interface GuardModule {
  readonly url: string;
  /** A function that makes `mayOpen` from `data`. */
  readonly exportName: string;
  readonly data?: unknown;
}
