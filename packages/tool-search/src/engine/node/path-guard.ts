/** Decides whether a path, relative to the root, may be opened. Folders have a trailing slash. */
export interface PathGuard {
  mayOpen(path: string): boolean;
}

/** The same guard in a form that can be sent to a worker thread, unlike a function. */
export interface GuardModule {
  readonly url: string;
  /** Names a function that creates the guard from `data`, or a promise of it. It gets folders without a slash. */
  readonly exportName: string;
  readonly data?: unknown;
}

/** Adapts a guard that expects paths without a trailing slash. */
export function withoutSlash(mayOpen: (path: string) => boolean): PathGuard["mayOpen"] {
  return (path) => mayOpen(path.endsWith("/") ? path.slice(0, -1) : path);
}
