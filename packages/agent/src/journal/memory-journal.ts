import type { DurableEvent } from "../event/run-event.js";
import type { RunJournal } from "./run-journal.js";

/** Creates a journal in memory, for tests and runs that are never resumed. */
export function memoryJournal(options: MemoryJournalOptions = {}): RunJournal {
  const events = [...(options.events ?? [])];
  return {
    runId: options.runId ?? events[0]?.runId ?? crypto.randomUUID(),
    events,
    append: (event) => {
      events.push(event);
    },
    close: () => {},
  };
}

export interface MemoryJournalOptions {
  readonly runId?: string;
  readonly events?: readonly DurableEvent[];
}
