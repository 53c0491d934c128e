import type { EventBody, EventListener, ToolEvent } from "./tool-event.js";

/** Numbers events and hands them to listeners. A listener that throws disturbs nobody. */
export class EventBus {
  readonly #listeners = new Set<EventListener>();
  #seq = 0;

  watch(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  emit(call: { readonly callId: string; readonly tool: string }, body: EventBody): void {
    this.#seq += 1;
    if (this.#listeners.size === 0) return;
    const { callId, tool } = call;
    const event = { seq: this.#seq, at: new Date().toISOString(), callId, tool, ...body } as ToolEvent;
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // An observer fails open: watching must never change what happens to a call.
      }
    }
  }
}
