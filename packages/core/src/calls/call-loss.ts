import type { CallRecord, CallSettlement } from "./call-record.js";
import { MAX_REPEATS } from "./call-store.js";

/** Returns how to settle a claimed call whose worker was lost; undefined if it goes back to the queue. */
export function lossOf(call: CallRecord): CallSettlement | undefined {
  if (call.state === "running" && call.isRepeatable !== true)
    return { outcome: "unknown", code: "UNKNOWN_OUTCOME" };
  if (call.cancelledBy !== undefined) return { outcome: "cancelled", code: "CANCELLED" };
  return call.attempt > MAX_REPEATS ? { outcome: "error", code: "WORKER_LOST" } : undefined;
}
