import { ToolError } from "@haft/core";
import {
  type CallKey,
  type CallRecord,
  failedResult,
  type SharedStore,
  type WorkspaceKey,
} from "@haft/core/calls";
import { onAbort } from "@haft/core/kernel";
import type { HeldWorkspace, HeldWorkspaces } from "./held-workspaces.js";
import { type ClaimedOutcome, claimOf, runClaimedCall } from "./run-claimed-call.js";
import type { SessionRuntimes } from "./session-runtimes.js";

interface ClaimedParts {
  readonly store: SharedStore;
  readonly runtimes: SessionRuntimes;
  readonly held: HeldWorkspaces;
  /** Called when a slot becomes free. */
  onFree(): void;
  onError(error: unknown): void;
}

interface RunningCall {
  readonly key: CallKey;
  readonly workspace: string;
  readonly cancel: AbortController;
  readonly done: Promise<void>;
}

/** The calls that a worker has claimed, from claim to settlement. */
export class ClaimedCalls {
  readonly #parts: ClaimedParts;
  readonly #running = new Map<string, RunningCall>();

  constructor(parts: ClaimedParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#running.size;
  }

  keys(): readonly CallKey[] {
    return [...this.#running.values()].map(({ key }) => key);
  }

  runsIn({ tenant, workspace }: WorkspaceKey): boolean {
    return [...this.#running.values()].some(
      (call) => call.key.tenant === tenant && call.workspace === workspace,
    );
  }

  run(call: CallRecord): void {
    const cancel = new AbortController();
    const done = this.#finish(call, cancel).finally(() => {
      this.#running.delete(keyOf(call));
      this.#parts.onFree();
    });
    const { tenant, callId, workspace } = call;
    this.#running.set(keyOf(call), { key: { tenant, callId }, workspace, cancel, done });
  }

  cancel(key: CallKey): void {
    this.#running.get(keyOf(key))?.cancel.abort(new ToolError("CANCELLED", "The call was cancelled"));
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #finish(call: CallRecord, cancel: AbortController): Promise<void> {
    const held = this.#parts.held.get(call);
    // Lost since it was claimed: the new holder has settled it or returned it to the queue.
    if (held === undefined || held.epoch !== call.epoch) return;
    const lost = held.lost.signal;
    const leave = onAbort(lost, () => cancel.abort(lost.reason));
    let outcome = await this.#run(call, { held, cancel, mayHaveStarted: false });
    // Without a record of its start it has had no effect: it waits for the store.
    for (let round = 0; "interruption" in outcome && !lost.aborted; round += 1) {
      this.#parts.onError(outcome.interruption.cause);
      await pause(round);
      outcome = await this.#run(call, { held, cancel, mayHaveStarted: true });
    }
    leave();
    if (!("interruption" in outcome)) await this.#store(call, outcome, lost);
  }

  async #run(
    call: CallRecord,
    { held, ...run }: { held: HeldWorkspace; cancel: AbortController; mayHaveStarted: boolean },
  ): Promise<ClaimedOutcome> {
    const { store, runtimes } = this.#parts;
    try {
      return await runtimes.use(held.place, call, (session) =>
        runClaimedCall(call, { calls: store.calls, ...session, ...run }),
      );
    } catch (cause) {
      return { settlement: { outcome: "error", result: failedResult(call, cause) } };
    }
  }

  /** Retries while the store is unavailable: the outcome of a call must not be lost. */
  async #store(call: CallRecord, outcome: StorableOutcome, lost: AbortSignal): Promise<void> {
    for (let round = 0; !lost.aborted; round += 1) {
      try {
        return await this.#storeOnce(call, outcome);
      } catch (error) {
        this.#parts.onError(error);
        await pause(round);
      }
    }
  }

  async #storeOnce(call: CallRecord, outcome: StorableOutcome): Promise<void> {
    const { store } = this.#parts;
    const { tenant } = call;
    if ("settlement" in outcome) {
      await store.calls.settle({ ...claimOf(call), settlement: outcome.settlement });
      return;
    }
    const { approvalId } = outcome;
    await store.calls.awaitApproval({ ...claimOf(call), approvalId });
    // The answer may have arrived before the call was suspended.
    if ((await store.approvals(tenant).decision(approvalId)) !== undefined)
      await store.calls.resume({ tenant, approvalId });
  }
}

type StorableOutcome = Exclude<ClaimedOutcome, { readonly interruption: object }>;

function pause(round: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** round, MAX_PAUSE_MS)));
}

const MAX_PAUSE_MS = 2_000;

function keyOf({ tenant, callId }: CallKey): string {
  return JSON.stringify([tenant, callId]);
}
