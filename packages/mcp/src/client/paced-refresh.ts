/**
 * Runs work on request: one at a time, immediately after a quiet period, and with growing delays while requests keep
 * coming. Requests that arrive meanwhile are merged. Never throws or rejects.
 */
export class PacedRefresh {
  readonly #work: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #state: "idle" | "waiting" | "working" | "closed" = "idle";
  #isWanted = false;
  #delayMs = 0;
  #endedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(work: () => Promise<void>, onError: (error: unknown) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  request(): void {
    if (this.#state === "working") this.#isWanted = true;
    if (this.#state === "idle") this.#schedule();
  }

  close(): void {
    this.#state = "closed";
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    const quietMs = performance.now() - this.#endedAt;
    const isBusy = quietMs < Math.max(this.#delayMs, FIRST_DELAY_MS);
    this.#delayMs = isBusy ? Math.min(Math.max(2 * this.#delayMs, FIRST_DELAY_MS), MAX_DELAY_MS) : 0;
    this.#state = "waiting";
    this.#timer = setTimeout(() => void this.#run(), this.#delayMs).unref();
  }

  async #run(): Promise<void> {
    this.#state = "working";
    this.#isWanted = false;
    try {
      await this.#work();
    } catch (error) {
      if (!this.#isClosed) this.#onError(error);
    }
    this.#endedAt = performance.now();
    if (this.#isClosed) return;
    this.#state = "idle";
    if (this.#isWanted) this.#schedule();
  }

  get #isClosed(): boolean {
    return this.#state === "closed";
  }
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 60_000;
