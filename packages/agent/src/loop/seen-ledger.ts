import type { AgentRuntime, SeenFiles } from "./agent-runtime.js";

/**
 * Tracks which files the model has seen across processes: the runtime knows the reads of this process, the log those
 * before it.
 */
export class SeenLedger {
  readonly #runtime: AgentRuntime;
  readonly #earlier: Map<string, string>;
  readonly #reported = new Map<string, string>();

  constructor(runtime: AgentRuntime, before: Readonly<Record<string, string>>) {
    this.#runtime = runtime;
    this.#earlier = new Map(Object.entries(before));
  }

  /** Files seen before this process and not seen with other content since. */
  get earlier(): SeenFiles {
    return [...this.#earlier].map(([path, hash]) => ({ path, hash }));
  }

  /** Returns what the runtime has seen since the last call. */
  takeNew(): SeenFiles {
    const added = (this.#runtime.seen?.() ?? []).filter(
      ({ path, hash }) => this.#reported.get(path) !== hash,
    );
    for (const { path, hash } of added) {
      this.#reported.set(path, hash);
      if (this.#earlier.get(path) !== hash) this.#earlier.delete(path);
    }
    return added;
  }
}
