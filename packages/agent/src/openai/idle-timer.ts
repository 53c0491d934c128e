import { ModelError } from "../model/model-error.js";

/** One signal for two reasons to stop: the caller's, and that nothing was heard for too long. */
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
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    if (!this.signal.aborted) this.#timer = setTimeout(this.#onSilence, this.#idleMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener("abort", this.#onAbort);
    // Lets go of a connection whose rest nobody reads.
    this.#controller.abort();
  }

  readonly #onAbort = (): void => this.#controller.abort(this.#caller.reason);

  readonly #onSilence = (): void => {
    const seconds = Math.round(this.#idleMs / 100) / 10;
    this.#controller.abort(
      new ModelError("MODEL_SILENT", `The model's server sent nothing for ${seconds} s`, {
        retryable: true,
      }),
    );
  };
}
