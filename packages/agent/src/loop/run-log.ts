import { messageOf, ToolError } from "@haft/core";
import { tellListener } from "@haft/core/kernel";
import type { AppendOptions } from "@haft/core/stores";
import type {
  DurableBody,
  DurableEvent,
  EphemeralBody,
  EphemeralEvent,
  RunEvent,
} from "../event/run-event.js";
import type { RunJournal } from "../journal/run-journal.js";
import { evolve, foldEvents } from "../state/evolve.js";
import type { RunState } from "../state/run-state.js";

/** The events of a run and the state they fold to. Events are stored before listeners are notified. */
export class RunLog {
  readonly #journal: RunJournal;
  readonly #events: DurableEvent[];
  readonly #listeners = new Set<(event: RunEvent) => void>();
  #state: RunState;
  /** The number of events stored and emitted. */
  #storedCount: number;
  #flushing: Promise<void> | undefined;
  #failure: ToolError | undefined;

  constructor(journal: RunJournal) {
    this.#journal = journal;
    this.#events = [...journal.events];
    this.#state = foldEvents(this.#events);
    this.#storedCount = this.#events.length;
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

  /** The stored events, for readers outside the run. */
  get stored(): readonly DurableEvent[] {
    return this.#flushing === undefined ? this.#events : this.#events.slice(0, this.#storedCount);
  }

  /**
   * Throws JOURNAL_FAILED if the event cannot be stored; the event is then discarded. With an asynchronous journal, the
   * state contains the event at once, listeners are notified when it is stored, and nothing may act on it before
   * `flush`.
   */
  append(body: DurableBody, options?: AppendOptions): void {
    if (this.#failure !== undefined) throw this.#failure;
    const event = { ...this.#envelope(this.#state.lastSeq + 1), ...body } as DurableEvent;
    const storing = this.#store(event, options);
    this.#events.push(event);
    this.#state = evolve(this.#state, event);
    if (storing === undefined && this.#flushing === undefined) this.#onStored(event);
    else this.#flushing = this.#emitWhenStored(event, storing);
  }

  /** Undefined if every event is stored. Otherwise resolves when they are, or rejects with JOURNAL_FAILED. */
  flush(): Promise<void> | undefined {
    return this.#flushing;
  }

  emit(body: EphemeralBody): void {
    this.#emit({ ...this.#envelope(this.#state.lastSeq), ...body } as EphemeralEvent);
  }

  /** Sends missed events to a listener, then all future ones. Errors it throws are ignored. */
  watch(listener: (event: RunEvent) => void, missed: readonly RunEvent[] = []): () => void {
    for (const event of missed) tellListener(listener, event);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Closes synchronously unless the journal is asynchronous. */
  close(): void | Promise<void> {
    if (this.#flushing !== undefined) return this.#flushing.catch(() => {}).then(() => this.#close());
    return this.#close();
  }

  #close(): void | Promise<void> {
    this.#listeners.clear();
    return this.#journal.close();
  }

  #store(event: DurableEvent, options: AppendOptions | undefined): Promise<void> | undefined {
    try {
      return this.#journal.append(event, options) ?? undefined;
    } catch (cause) {
      throw journalFailed(cause);
    }
  }

  #emitWhenStored(event: DurableEvent, storing: Promise<void> | undefined): Promise<void> {
    const flushing = Promise.all([this.#flushing, storing]).then(
      () => {
        this.#onStored(event);
        if (this.#flushing === flushing) this.#flushing = undefined;
      },
      (cause) => {
        this.#failure ??= journalFailed(cause);
        throw this.#failure;
      },
    );
    // Callers of flush receive the error; without one it must not be an unhandled rejection.
    flushing.catch(() => {});
    return flushing;
  }

  #onStored(event: DurableEvent): void {
    this.#storedCount += 1;
    this.#emit(event);
  }

  #envelope(seq: number) {
    return { v: 1 as const, runId: this.runId, seq, at: new Date().toISOString() };
  }

  #emit(event: RunEvent): void {
    for (const listener of [...this.#listeners]) tellListener(listener, event);
  }
}

function journalFailed(cause: unknown): ToolError {
  if (ToolError.is(cause) && cause.code === "JOURNAL_FAILED") return cause;
  return new ToolError("JOURNAL_FAILED", messageOf(cause), {
    hint: "The run could not be saved beyond its last event. Free some disk space, then continue it.",
    cause,
  });
}
