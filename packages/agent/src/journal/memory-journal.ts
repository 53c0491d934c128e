import type { DurableEvent } from "../event/run-event.js";
import type { RunJournal } from "./run-journal.js";

/** A journal that lives as long as the process; for tests, and for runs nobody wants to take up again. */
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
