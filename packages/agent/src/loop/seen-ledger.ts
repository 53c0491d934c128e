import type { AgentRuntime, SeenFiles } from "./agent-runtime.js";

/**
 * Carries what the model has seen from one process to the next: the runtime knows what was read in
 * this one, the log what was read before it.
 */
export class SeenLedger {
  readonly #runtime: AgentRuntime;
  readonly #before: Map<string, string>;
  readonly #told = new Map<string, string>();

  constructor(runtime: AgentRuntime, before: Readonly<Record<string, string>>) {
    this.#runtime = runtime;
    this.#before = new Map(Object.entries(before));
  }

  /** What was seen before this process, and not seen otherwise since. */
  get before(): SeenFiles {
    return [...this.#before].map(([path, hash]) => ({ path, hash }));
  }

  /** What the runtime has seen since this was last asked. */
  news(): SeenFiles {
    const news = (this.#runtime.seen?.() ?? []).filter(({ path, hash }) => this.#told.get(path) !== hash);
    for (const { path, hash } of news) {
      this.#told.set(path, hash);
      if (this.#before.get(path) !== hash) this.#before.delete(path);
    }
    return news;
  }
}
