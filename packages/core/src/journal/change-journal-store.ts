/**
 * The append-only log behind a journal of file changes. The store does not interpret
 * lines. Only the holder of the workspace's lock appends or replaces; any process may read.
 */
export interface ChangeJournalStore<Line = unknown> {
  /** The lines after a position, oldest first. */
  read(after?: JournalPosition): Promise<JournalPart<Line>>;
  /** Resolves when the line survives a crash of the process; with `durable`, a power cut. */
  append(line: Line, options?: { readonly durable?: boolean }): Promise<void>;
  /** Replaces all lines atomically. */
  replace(lines: readonly Line[]): Promise<void>;
}

/** A reader's position, opaque to everyone but the store that returned it. */
export type JournalPosition = string;

export interface JournalPart<Line> {
  readonly lines: readonly Line[];
  readonly position: JournalPosition;
  /** True when the lines are the whole log: no position was given, or it predates a replacement. */
  readonly isWhole: boolean;
}
