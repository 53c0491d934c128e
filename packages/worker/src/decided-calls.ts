import type { SharedStore } from "@haft/core/calls";

interface DecidedParts {
  readonly store: SharedStore;
  readonly workerId: string;
  onError(error: unknown): void;
}

/** Requeues calls whose decider died after deciding. Looks at some waiting calls each time, and at the next ones next time. */
export class DecidedCalls {
  readonly #parts: DecidedParts;
  #reviewed = 0;
  #reviewing: Promise<void> | undefined;

  constructor(parts: DecidedParts) {
    this.#parts = parts;
  }

  /** Never rejects. Does nothing while the last review is under way. */
  review(): Promise<void> {
    this.#reviewing ??= this.#resumeSome()
      .catch((error) => this.#parts.onError(error))
      .finally(() => {
        this.#reviewing = undefined;
      });
    return this.#reviewing;
  }

  async idle(): Promise<void> {
    await this.#reviewing;
  }

  async #resumeSome(): Promise<void> {
    const { store, workerId } = this.#parts;
    const { awaiting } = await store.calls.duties({ worker: workerId });
    const from = this.#reviewed < awaiting.length ? this.#reviewed : 0;
    this.#reviewed = from + REVIEWED_AT_ONCE;
    for (const { tenant, approvalId } of awaiting.slice(from, this.#reviewed)) {
      const decision = await store.approvals(tenant).decision(approvalId);
      if (decision !== undefined) await store.calls.resume({ tenant, approvalId });
    }
  }
}

const REVIEWED_AT_ONCE = 100;
