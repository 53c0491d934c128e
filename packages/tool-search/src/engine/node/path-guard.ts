/** Decides whether a path, relative to the root, may be opened; folders come with a trailing slash. */
export interface PathGuard {
  mayOpen(path: string): boolean;
}

/** The same guard for a worker thread, to which a function cannot cross. */
export interface GuardModule {
  readonly url: string;
  /** A function that makes the guard from `data`, or a promise of it. It is asked about folders without a slash. */
  readonly exportName: string;
  readonly data?: unknown;
}

/** A guard that knows paths only without a trailing slash, as the engine asks. */
export function withoutSlash(mayOpen: (path: string) => boolean): PathGuard["mayOpen"] {
  return (path) => mayOpen(path.endsWith("/") ? path.slice(0, -1) : path);
}
