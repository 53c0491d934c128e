import { setImmediate } from "node:timers/promises";
import type { Steps } from "@haft/text/regex";

/** How long a search takes the caller's thread before the event loop turns. */
const SLICE_MS = 8;

/** Measures how long work has used the caller's thread since the event loop last turned. */
export class Slice {
  readonly #ms: number;
  #until: number;

  constructor(ms = SLICE_MS) {
    this.#ms = ms;
    this.#until = performance.now() + ms;
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Lets the event loop turn, or waits for something else, and begins the next slice. */
  async pause(waiting: Promise<unknown> = setImmediate()): Promise<void> {
    await waiting;
    this.#until = performance.now() + this.#ms;
  }
}

/** Runs steps on the caller's thread and lets the event loop turn between slices. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const slice = new Slice();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice.isOver) await slice.pause();
  }
}
