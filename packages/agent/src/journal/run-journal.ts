import type { DurableEvent } from "../event/run-event.js";

/**
 * Where the durable events of one run are kept; the only seam a store needs. It has one writer.
 * Synchronous on purpose: a call must be known to have started before its first effect, and the
 * runtime tells of that in the middle of things.
 */
export interface RunJournal {
  readonly runId: string;
  /** What was there when it was opened, oldest first. */
  readonly events: readonly DurableEvent[];
  /** Returns when the event is kept; throws when it cannot be. */
  append(event: DurableEvent, options?: AppendOptions): void;
  /** Lets others write. */
  close(): void;
}

export interface AppendOptions {
  /**
   * False for what may be lost in a power cut, though not in a crash: that something was read can be
   * found out again. Default: true.
   */
  readonly durable?: boolean;
}
