import type { ApprovalAnswer, ApprovalRequest, Approver, ToolResult } from "@haft/core";

export interface CallRun {
  readonly callId: string;
  /** Undefined if no one can be asked. */
  readonly approver: Approver | undefined;
  readonly signal: AbortSignal;
}

/** Where a call stopped: at its end, or at a question. */
type CallStop = { readonly result: ToolResult } | { readonly question: OpenQuestion };

export interface OpenQuestion {
  readonly request: ApprovalRequest;
  /** Unique among all questions of all calls. */
  readonly id: string;
  /** Aborts once the question has been answered, from anywhere. */
  readonly closed: AbortSignal;
  answer(answer: ApprovalAnswer): void;
}

/** A runtime call that can stop for a question in one request and continue in a later one. */
export class PendingCall {
  readonly id = crypto.randomUUID();
  readonly #abort = new AbortController();
  readonly #timeoutMs: number;
  readonly #waiting = new Set<() => void>();
  #question: OpenQuestion | undefined;
  #result: ToolResult | undefined;
  #failure: { readonly cause: unknown } | undefined;

  constructor(timeoutMs: number, run: (call: CallRun) => Promise<ToolResult>) {
    this.#timeoutMs = timeoutMs;
    run({ callId: this.id, approver: this.#ask, signal: this.#abort.signal }).then(
      (result) => {
        this.#result = result;
        this.#wake();
      },
      (cause) => {
        this.#failure = { cause };
        this.#wake();
      },
    );
  }

  /** Where the call stopped; undefined while it runs. Throws the runtime's error. */
  get stop(): CallStop | undefined {
    if (this.#failure !== undefined) throw this.#failure.cause;
    if (this.#result !== undefined) return { result: this.#result };
    return this.#question && { question: this.#question };
  }

  /** Waits until the call ends or asks. Cancelling this request cancels the call. */
  async advance(signal: AbortSignal): Promise<CallStop> {
    const cancel = () => this.cancel(signal.reason);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      for (;;) {
        const { stop } = this;
        if (stop !== undefined) return stop;
        await this.changed();
      }
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Resolves when a question is asked or answered, when the call ends, or when the signal aborts. */
  changed(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake);
      if (signal?.aborted) wake();
    });
  }

  cancel(reason: unknown): void {
    this.#abort.abort(reason);
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  readonly #ask: Approver = (request, signal) =>
    new Promise((resolve) => {
      const closing = new AbortController();
      const answer = (given: ApprovalAnswer) => {
        clearTimeout(timer);
        if (this.#question === question) this.#question = undefined;
        closing.abort();
        resolve(given);
        this.#wake();
      };
      const timer = setTimeout(() => answer({ approved: false, failure: "timeout" }), this.#timeoutMs);
      signal.addEventListener("abort", () => answer({ approved: false }), { once: true });
      const question = { request, id: crypto.randomUUID(), closed: closing.signal, answer };
      this.#question = question;
      this.#wake();
    });
}
