import { readFileSync } from "node:fs";

export interface Stall {
  /** How long the event loop was blocked, without the time other processes used the CPU. */
  readonly ms: number;
}

/**
 * Measures how long this thread's event loop is blocked. Excludes time in which the thread was runnable but the system
 * ran something else, so that the result does not depend on the load of the machine.
 */
export class StallMeter {
  #beatAt = performance.now();
  #waitedMs = waitedMs();
  #worstMs = 0;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS);

  /** Returns the longest stall since the last call. */
  take(): Stall {
    this.#beat();
    const ms = Math.round(this.#worstMs);
    this.#worstMs = 0;
    return { ms };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const [now, waited] = [performance.now(), waitedMs()];
    const own = now - this.#beatAt - (waited - this.#waitedMs) - BEAT_MS;
    this.#worstMs = Math.max(this.#worstMs, own);
    this.#beatAt = now;
    this.#waitedMs = waited;
  }
}

const BEAT_MS = 5;

/** Returns how long the main thread has waited for a CPU; 0 if the system does not report it. */
function waitedMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
