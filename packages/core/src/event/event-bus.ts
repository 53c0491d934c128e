import { type ListenerErrorHandler, tellListener } from "./tell-listener.js";
import type { EventBody, EventListener, ToolEvent } from "./tool-event.js";

/**
 * Numbers events and delivers them to listeners. A listener that throws or rejects affects neither calls nor others.
 */
export class EventBus {
  readonly #listeners = new Map<EventListener, ListenerErrorHandler | undefined>();
  readonly #waiting: ToolEvent[] = [];
  #seq = 0;
  #isDelivering = false;

  /** False without listeners, so that no event needs to be prepared. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  watch(listener: EventListener, onError?: ListenerErrorHandler): () => void {
    this.#listeners.set(listener, onError);
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

  /** Delivers events one at a time: events caused by a listener follow the current one. */
  #deliver(): void {
    this.#isDelivering = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift())
      for (const [listener, onError] of [...this.#listeners]) tellListener(listener, event, onError);
    this.#isDelivering = false;
  }
}
