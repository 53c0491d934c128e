import type { CallWrapper } from "@haft/core";
import type { LocalRuntime } from "@haft/core/kernel";

/** How long no call must run before services prepare for the next one: back-to-back calls are not disturbed. */
const IDLE_MS = 100;

/**
 * Lets the services of a runtime prepare for later calls while no call runs. A new call interrupts that work; it
 * resumes after the last answer.
 */
export class IdleWarmth {
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  #work: { readonly aborter: AbortController; readonly ended: Promise<void> } | undefined;
  #isOver = false;

  constructor(private readonly runtime: Pick<LocalRuntime, "warm">) {
    this.#startLater();
  }

  /** Wraps every call of the runtime. */
  readonly aroundCall: CallWrapper = (_call, next) => {
    this.#stop();
    this.#running++;
    return next().finally(() => {
      if (--this.#running === 0) this.#startLater();
    });
  };

  /** Stops permanently. Resolves when no preparation is running. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#stop();
    await this.#work?.ended;
  }

  // The timer does not keep the process alive: nothing waits for it.
  #startLater(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), IDLE_MS).unref();
  }

  #start(): void {
    const aborter = new AbortController();
    this.#work = { aborter, ended: this.runtime.warm(aborter.signal) };
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#work?.aborter.abort(new Error("a call arrived"));
  }
}
