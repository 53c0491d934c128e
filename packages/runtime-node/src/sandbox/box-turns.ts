import { ToolError } from "@haft/core";

/** Limits how many boxes run at once. Foreground runs wait in order of arrival. */
export class BoxTurns {
  readonly #count: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** How many more boxes may run now. */
  get free(): number {
    return this.#free;
  }

  /** Waits for a turn, then runs the work. Rejects with the signal's reason if it aborts first. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    return this.#holding(work);
  }

  /**
   * Runs background work, which may keep its turn for hours: rejects with LIMIT_EXCEEDED instead of waiting, and
   * leaves the last turn to the foreground.
   */
  async takeForLong<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free <= (this.#count > 1 ? 1 : 0)) throw tooMany(this.#count);
    this.#free -= 1;
    return this.#holding(work);
  }

  async #holding<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        const index = this.#waiting.indexOf(turn);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(turn);
    });
  }
}

function tooMany(count: number): ToolError {
  return new ToolError(
    "LIMIT_EXCEEDED",
    `No box is free for a background command: at most ${count} run at once`,
    {
      hint: 'It was not started. End a background command with the process tool (action: "kill"), or wait until a command has ended. The user can raise sandbox.boxes.',
      next: { tool: "process", args: { action: "list" } },
    },
  );
}
