import type { ToolEvent, ToolRuntime } from "@haft/core";

/** Tells each call of its own events. With a watcher for each call, every event would reach all calls under way. */
export class EventsByCall {
  readonly #listeners = new Map<string, (event: ToolEvent) => void>();

  constructor(runtime: Pick<ToolRuntime, "watch">) {
    runtime.watch((event) => this.#listeners.get(event.callId)?.(event));
  }

  /** One listener for each call. Returns a function that stops it. */
  follow(callId: string, listener: (event: ToolEvent) => void): () => void {
    this.#listeners.set(callId, listener);
    return () => {
      if (this.#listeners.get(callId) === listener) this.#listeners.delete(callId);
    };
  }
}
