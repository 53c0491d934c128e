import { pause } from "./pause.js";

/** What is at work: turns by "turn", calls by their id. */
export class WorkUnderWay {
  readonly #byKey = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  get size(): number {
    return this.#byKey.size;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Resolves when it is done. The work must not reject. */
  start(key: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => this.#byKey.delete(key));
    this.#byKey.set(key, { controller, done });
    return done;
  }

  /** What is not heard of any more counts as gone. */
  forget(key: string): void {
    this.#byKey.delete(key);
  }

  controllerOf(key: string): AbortController | undefined {
    return this.#byKey.get(key)?.controller;
  }

  abortAll(reason: unknown): void {
    for (const { controller } of this.#byKey.values()) controller.abort(reason);
  }

  /** Until nothing is at work; who does not listen when told to stop is not waited for any longer. */
  async stillness(maxMs: number): Promise<void> {
    const still = new AbortController();
    const done = [...this.#byKey.values()].map((work) => work.done);
    await Promise.race([Promise.all(done), pause(maxMs, still.signal)]);
    still.abort();
  }
}
