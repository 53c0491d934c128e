import type { EventBody, EventListener, ToolEvent } from "./tool-event.js";

/** Numbers events and hands them to listeners. A listener that throws disturbs nobody. */
export class EventBus {
  readonly #listeners = new Set<EventListener>();
  readonly #waiting: ToolEvent[] = [];
  #seq = 0;
  #isDelivering = false;

  /** False when nobody listens, so that nothing needs to be prepared for them. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  watch(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  emit(call: { readonly callId: string; readonly tool: string }, body: EventBody): void {
    if (!this.isWatched) return;
    this.#seq += 1;
    const { callId, tool } = call;
    const event = { seq: this.#seq, at: new Date().toISOString(), callId, tool, ...body } as ToolEvent;
    this.#waiting.push(event);
    if (!this.#isDelivering) this.#deliver();
  }

  /** One event after the other: what a listener itself causes comes after what it is being told. */
  #deliver(): void {
    this.#isDelivering = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift())
      for (const listener of [...this.#listeners]) tell(listener, event);
    this.#isDelivering = false;
  }
}

/** An observer fails open: watching must never change what happens to a call. */
function tell(listener: EventListener, event: ToolEvent): void {
  try {
    listener(event);
  } catch {
    // Nobody to tell: the listener is the host's own.
  }
}
