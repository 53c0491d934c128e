import { isAway } from "./report-outages.js";

/** The start of one call: it has its first effect once its start and the record of its decision are stored. */
export class CallStart {
  readonly #abort: () => void;
  #openRecords = 0;
  #isStored = false;
  #hasBegun = false;
  #interruption: { readonly cause: unknown } | undefined;

  constructor(abort: () => void) {
    this.#abort = abort;
  }

  /** Why the first effect could not be recorded; undefined unless the store was away. */
  get interruption(): { readonly cause: unknown } | undefined {
    return this.#interruption;
  }

  /** A record that the first effect waits for. */
  recording(stored: Promise<unknown>): void {
    this.#openRecords += 1;
    stored.then(
      () => {
        this.#openRecords -= 1;
        this.#begin();
      },
      (cause) => {
        if (isAway(cause)) this.interrupt(cause);
      },
    );
  }

  stored(): void {
    this.#isStored = true;
    this.#begin();
  }

  /** Aborts the call, unless it may have had an effect. */
  interrupt(cause: unknown): void {
    if (this.#hasBegun) return;
    this.#interruption = { cause };
    this.#abort();
  }

  #begin(): void {
    if (this.#isStored && this.#openRecords === 0) this.#hasBegun = true;
  }
}
