import type { ToolRuntime } from "@haft/core";

/** How long calls waited for approval, by call id. */
export class ApprovalWaits {
  readonly #askedAt = new Map<string, number>();
  readonly #waitedMs = new Map<string, number>();

  constructor(runtime: Pick<ToolRuntime, "watch">) {
    runtime.watch(({ type, callId }) => {
      if (type === "approval-requested") this.#askedAt.set(callId, performance.now());
      else if (type === "approval-answered") this.#answered(callId);
    });
  }

  /** Returns and forgets the wait of a call. Undefined if no approval was requested. */
  take(callId: string): number | undefined {
    const waited = this.#waitedMs.get(callId);
    this.#waitedMs.delete(callId);
    this.#askedAt.delete(callId);
    return waited;
  }

  #answered(callId: string): void {
    const askedAt = this.#askedAt.get(callId);
    if (askedAt === undefined) return;
    this.#waitedMs.set(callId, (this.#waitedMs.get(callId) ?? 0) + performance.now() - askedAt);
  }
}
