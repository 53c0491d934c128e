import type { Steps } from "@haft/text";

/** Lets other work run during a long computation. */
export class Pace {
  readonly #signal: AbortSignal | undefined;
  #restedAt = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Yields to the event loop once the work has blocked the thread for a while. Returns undefined until then, so it is
   * cheap to call between steps. Rejects if the signal has been aborted.
   */
  breathe(): Promise<void> | undefined {
    return performance.now() - this.#restedAt < MAX_BUSY_MS ? undefined : this.#rest();
  }

  /** Runs all steps, and lets other work run between them. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.breathe();
    }
  }

  async #rest(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#restedAt = performance.now();
    this.#signal?.throwIfAborted();
  }
}

const MAX_BUSY_MS = 25;
