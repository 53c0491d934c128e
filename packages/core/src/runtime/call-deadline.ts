import { ToolError } from "../error/tool-error.js";
import { onAbort } from "./on-abort.js";

/**
 * Caller, life span and time limit as one signal whose reason is a ToolError. Only active time
 * counts: the clock stands still while a person is asked.
 */
export class CallDeadline {
  readonly #timeoutMs: number;
  readonly #sources: readonly AbortSignal[];
  readonly #leave: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  #controller: AbortController | undefined;
  #reason: ToolError | undefined;
  #leftMs: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(timeoutMs: number, sources: readonly (AbortSignal | undefined)[]) {
    this.#timeoutMs = timeoutMs;
    // A timer that is set further than it can count would fire at once.
    this.#leftMs = Math.min(timeoutMs, MAX_TIMER_MS);
    this.#sources = sources.filter((source) => source !== undefined);
    for (const source of this.#sources) {
      if (source.aborted) this.#cancel();
      else this.#leave.push(onAbort(source, this.#cancel));
    }
    this.resume();
  }

  /** Made for the first who asks: many a call is over before anybody does. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  throwIfAborted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Waits for work, but not longer: a tool that ignores the signal keeps running, unheard. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    this.throwIfAborted();
    let stop = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(this.#reason);
    });
    this.#waiting.add(stop);
    try {
      return await Promise.race([work(), aborted]);
    } finally {
      this.#waiting.delete(stop);
    }
  }

  /** True once the call was answered: whatever the tool still does is heard by nobody. */
  get isOver(): boolean {
    return this.#isOver;
  }

  remainingMs(): number {
    const spent = this.#timer === undefined ? 0 : performance.now() - this.#since;
    return Math.max(0, this.#leftMs - spent);
  }

  pause(): void {
    this.#leftMs = this.remainingMs();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  resume(): void {
    if (this.#reason !== undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#expire, this.#leftMs);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const leave of this.#leave) leave();
  }

  readonly #expire = (): void => {
    const seconds = Math.round(this.#timeoutMs / 100) / 10;
    this.#abort(
      new ToolError("TIMEOUT", `The call took longer than ${seconds} s and was stopped`, {
        hint: "Ask for less in one call.",
      }),
    );
  };

  readonly #cancel = (): void => {
    const reason = this.#sources.find((source) => source.aborted)?.reason;
    this.#abort(
      ToolError.is(reason) ? reason : new ToolError("CANCELLED", "The call was cancelled", { cause: reason }),
    );
  };

  /** Whoever waits hears of it before the tool, whatever the tool makes of it. */
  #abort(reason: ToolError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const stop of [...this.#waiting]) stop();
    this.#controller?.abort(reason);
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for work, but not beyond the signal. */
export async function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}
