import { messageOf, ToolError } from "@haft/core";
import type {
  DurableBody,
  DurableEvent,
  EphemeralBody,
  EphemeralEvent,
  RunEvent,
} from "../event/run-event.js";
import type { AppendOptions, RunJournal } from "../journal/run-journal.js";
import { evolve, foldEvents } from "../state/evolve.js";
import type { RunState } from "../state/run-state.js";

/** The events of a run and the state they fold to. An event is kept before anybody hears of it. */
export class RunLog {
  readonly #journal: RunJournal;
  readonly #events: DurableEvent[];
  readonly #listeners = new Set<(event: RunEvent) => void>();
  #state: RunState;

  constructor(journal: RunJournal) {
    this.#journal = journal;
    this.#events = [...journal.events];
    this.#state = foldEvents(this.#events);
  }

  get runId(): string {
    return this.#journal.runId;
  }

  get state(): RunState {
    return this.#state;
  }

  get events(): readonly DurableEvent[] {
    return this.#events;
  }

  /** Throws JOURNAL_FAILED when the event cannot be kept; then it has not happened. */
  append(body: DurableBody, options?: AppendOptions): void {
    const event = { ...this.#envelope(this.#state.lastSeq + 1), ...body } as DurableEvent;
    this.#keep(event, options);
    this.#events.push(event);
    this.#state = evolve(this.#state, event);
    this.#tell(event);
  }

  tell(body: EphemeralBody): void {
    this.#tell({ ...this.#envelope(this.#state.lastSeq), ...body } as EphemeralEvent);
  }

  /** Tells a listener of what it has missed, then of everything. What it throws disturbs nobody. */
  watch(listener: (event: RunEvent) => void, missed: readonly RunEvent[] = []): () => void {
    for (const event of missed) tell(listener, event);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#listeners.clear();
    this.#journal.close();
  }

  #keep(event: DurableEvent, options: AppendOptions | undefined): void {
    try {
      this.#journal.append(event, options);
    } catch (cause) {
      throw new ToolError("JOURNAL_FAILED", messageOf(cause), { cause });
    }
  }

  #envelope(seq: number) {
    return { v: 1 as const, runId: this.runId, seq, at: new Date().toISOString() };
  }

  #tell(event: RunEvent): void {
    for (const listener of [...this.#listeners]) tell(listener, event);
  }
}

function tell(listener: (event: RunEvent) => void, event: RunEvent): void {
  try {
    listener(event);
  } catch {
    // Watching a run must not change it, and nobody else is there to be told.
  }
}
