import { ToolError } from "../error/tool-error.js";
import { onAbort } from "./on-abort.js";

/**
 * Combines the caller's signal, the runtime's life span and the time limit into one signal whose reason is a ToolError.
 * Only active time counts: the clock stops while approval is pending.
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
    // A timer beyond its maximum would fire at once.
    this.#leftMs = Math.min(timeoutMs, MAX_TIMER_MS);
    this.#sources = sources.filter((source) => source !== undefined);
    for (const source of this.#sources) {
      if (source.aborted) this.#cancel();
      else this.#leave.push(onAbort(source, this.#cancel));
    }
    this.resume();
  }

  /** Created on first access: many calls end before it is needed. */
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

  /** Waits for work until the deadline. A tool that ignores the signal keeps running, but its result is discarded. */
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

  /** True once the call has returned: anything the tool still does is ignored. */
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

  /** Notifies waiting callers before the tool, however the tool reacts. */
  #abort(reason: ToolError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const stop of [...this.#waiting]) stop();
    this.#controller?.abort(reason);
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits for work until the signal aborts. */
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
