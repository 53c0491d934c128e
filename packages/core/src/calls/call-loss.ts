import type { CallRecord, CallSettlement } from "./call-record.js";
import { ACTIVE, type CallRow, type CallRows, requeued, settled } from "./call-rows.js";
import { type Lease, MAX_REPEATS } from "./call-store.js";

/** Settles or requeues a former holder's calls: a started call never runs again unless it is repeatable. */
export function settleLost(rows: CallRows, { epoch, ...key }: Lease, nowMs: number): void {
  const lost = ACTIVE.flatMap((state) => rows.inState(key, state)).filter((row) => row.epoch !== epoch);
  for (const row of lost) {
    const settlement = lossOf(row);
    const next =
      settlement === undefined
        ? requeued({ ...row, attempt: row.attempt + 1 })
        : settled(row, settlement, nowMs);
    rows.put(next);
  }
}

/** Returns how to settle a claimed call whose worker was lost; undefined if it goes back to the queue. */
function lossOf(call: CallRecord): CallSettlement | undefined {
  if (call.state === "running" && call.isRepeatable !== true)
    return { outcome: "unknown", code: "UNKNOWN_OUTCOME" };
  if (call.cancelledBy !== undefined) return CANCELLED;
  return call.attempt > MAX_REPEATS ? { outcome: "error", code: "WORKER_LOST" } : undefined;
}

export const CANCELLED: CallSettlement = { outcome: "cancelled", code: "CANCELLED" };
export const UNAVAILABLE: CallSettlement = { outcome: "error", code: "WORKSPACE_UNAVAILABLE" };

/** Whether a call has waited for a worker for longer than its submitter allows. */
export function isOverdue(
  { state, submittedAtMs, maxQueuedMs = Infinity, approvalId }: CallRow,
  nowMs: number,
): boolean {
  return state === "queued" && approvalId === undefined && submittedAtMs + maxQueuedMs < nowMs;
}
