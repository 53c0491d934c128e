/** The fields of a run event that a store uses. */
export interface JournalledEvent {
  readonly runId: string;
  /** Counts from 1 without gaps within a run. */
  readonly seq: number;
}

/** The journal of one run, open for its only writer. */
export interface RunJournal<E extends JournalledEvent = JournalledEvent> {
  readonly runId: string;
  /** The events that existed when it was opened, oldest first. */
  readonly events: readonly E[];
  /**
   * Appends the next event. Returns or resolves once it is stored; throws or rejects if it cannot be. Events
   * are stored in call order, even without awaiting each one. After a failure, no later event is stored.
   */
  append(event: E, options?: AppendOptions): void | Promise<void>;
  /** Releases the journal for other writers once all appended events are stored. */
  close(): void | Promise<void>;
}

export interface AppendOptions {
  /**
   * False for events that may be lost in a power cut, but not in a crash, such as the result of a read.
   * Default: true.
   */
  readonly durable?: boolean;
}

/** Stores the journals of runs. */
export interface RunJournalStore<E extends JournalledEvent = JournalledEvent> {
  /**
   * Opens a new or existing journal for this process alone. Rejects with RUN_BUSY while another process writes to it.
   */
  open(runId: string): Promise<RunJournal<E>>;
  /** The ids of the runs that have events. */
  list(): Promise<readonly string[]>;
  /** The events after `afterSeq` (default: all), oldest first, also while another process writes. */
  read(runId: string, afterSeq?: number): Promise<readonly E[]>;
  /** Deletes a run that no process is writing. Returns true to exactly one caller. */
  remove(runId: string): Promise<boolean>;
}
