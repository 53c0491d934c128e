import { ToolError } from "../error/tool-error.js";
import { onAbort } from "./on-abort.js";

/**
 * Caller, life span and time limit as one signal whose reason is a ToolError. Only active time
 * counts: the clock stands still while a person is asked.
 */
export class CallDeadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #sources: readonly AbortSignal[];
  readonly #leave: (() => void)[] = [];
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

  get signal(): AbortSignal {
    return this.#controller.signal;
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
    if (this.signal.aborted) return;
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
    this.#controller.abort(
      new ToolError("TIMEOUT", `The call took longer than ${seconds} s and was stopped`, {
        hint: "Ask for less in one call.",
      }),
    );
  };

  readonly #cancel = (): void => {
    const reason = this.#sources.find((source) => source.aborted)?.reason;
    this.#controller.abort(
      ToolError.is(reason) ? reason : new ToolError("CANCELLED", "The call was cancelled", { cause: reason }),
    );
  };
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for work, but not beyond the signal: a tool that ignores it keeps running, unheard. */
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
