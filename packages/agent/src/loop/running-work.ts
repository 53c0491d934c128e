import { pause } from "./pause.js";

/** Running turns (by "turn") and calls (by id). */
export class RunningWork {
  readonly #byKey = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  get size(): number {
    return this.#byKey.size;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Resolves when the work is done. The work must not reject. */
  start(key: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => this.#byKey.delete(key));
    this.#byKey.set(key, { controller, done });
    return done;
  }

  /** Stops waiting for work that does not respond. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }

  controllerOf(key: string): AbortController | undefined {
    return this.#byKey.get(key)?.controller;
  }

  abortAll(reason: unknown): void {
    for (const { controller } of this.#byKey.values()) controller.abort(reason);
  }

  /** Resolves when nothing is running, or after `maxMs` if something does not stop. */
  async idle(maxMs: number): Promise<void> {
    const timeout = new AbortController();
    const done = [...this.#byKey.values()].map((work) => work.done);
    await Promise.race([Promise.all(done), pause(maxMs, timeout.signal)]);
    timeout.abort();
  }
}
