import type { ApprovalViewOptions } from "@haft/prompt-formatter";

export type QuestionPosition = NonNullable<ApprovalViewOptions["position"]>;

/** Numbers questions that are open at the same time: "2 of 5". */
export class QuestionPositions {
  readonly #runningCalls: () => number;
  readonly #waiting = new Set<() => void>();
  #open = 0;
  /** The last number given. Restarts when no question is open. */
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A question waits briefly for those of other calls, so that the total is correct. */
  constructor(runningCalls: () => number) {
    this.#runningCalls = runningCalls;
  }

  async during<T>(ask: (position: QuestionPosition) => Promise<T>): Promise<T> {
    if (this.#open === 0) this.#last = 0;
    this.#open += 1;
    this.#last += 1;
    const index = this.#last;
    try {
      await this.#gathered();
      return await ask({ index, total: this.#last });
    } finally {
      this.#open -= 1;
    }
  }

  #gathered(): Promise<void> {
    if (this.#open >= this.#runningCalls()) this.#release();
    else this.#timer ??= setTimeout(() => this.#release(), GATHER_MS);
    if (this.#timer === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const release of this.#waiting) release();
    this.#waiting.clear();
  }
}

const GATHER_MS = 50;
