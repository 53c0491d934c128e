import { ModelError } from "../model/model-error.js";

/** Aborts on the caller's signal, or after a period without data. */
export class IdleTimer {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #idleMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(caller: AbortSignal, idleMs: number) {
    this.#caller = caller;
    this.#idleMs = idleMs;
    caller.addEventListener("abort", this.#onAbort, { once: true });
    if (caller.aborted) this.#onAbort();
    this.reset();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  reset(): void {
    clearTimeout(this.#timer);
    if (!this.signal.aborted) this.#timer = setTimeout(this.#onSilence, this.#idleMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener("abort", this.#onAbort);
    // Closes a connection whose remaining data is not needed.
    this.#controller.abort();
  }

  readonly #onAbort = (): void => this.#controller.abort(this.#caller.reason);

  readonly #onSilence = (): void => {
    const seconds = Math.round(this.#idleMs / 100) / 10;
    this.#controller.abort(
      new ModelError("MODEL_SILENT", `The model server sent no data for ${seconds} s`, {
        retryable: true,
      }),
    );
  };
}
