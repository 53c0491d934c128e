import type { ToolEvent, ToolRuntime } from "@haft/core";

/** Passes each call its own events. With one watcher per call, every event would reach all running calls. */
export class EventsByCall {
  readonly #listeners = new Map<string, (event: ToolEvent) => void>();

  constructor(runtime: Pick<ToolRuntime, "watch">) {
    runtime.watch((event) => this.#listeners.get(event.callId)?.(event));
  }

  /** Registers the listener of a call. Returns a function that removes it. */
  follow(callId: string, listener: (event: ToolEvent) => void): () => void {
    this.#listeners.set(callId, listener);
    return () => {
      if (this.#listeners.get(callId) === listener) this.#listeners.delete(callId);
    };
  }
}
