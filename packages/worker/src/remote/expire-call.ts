import type { CallRecord, CallStore } from "@haft/core/calls";

interface Expiry {
  readonly calls: CallStore;
  /** How often to try again: the clock of the store may be behind. */
  readonly pollMs: number;
  onSettled(call: CallRecord): void;
}

/**
 * Settles a call in the store when it has waited too long for a worker; without a worker, no other process would.
 * Returns a function that stops it.
 */
export function expireCall(call: CallRecord, { calls, pollMs, onSettled }: Expiry): () => void {
  const { tenant, callId, maxQueuedMs } = call;
  if (maxQueuedMs === undefined) return () => {};
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const tryAfter = (ms: number) => {
    if (isOver) return;
    timer = setTimeout(() => void expire(), Math.min(ms, MAX_TIMER_MS));
    timer.unref();
  };
  const expire = async () => {
    const now = await calls.expire({ tenant, callId }).catch(() => call);
    if (isOver || now === undefined) return;
    if (now.state === "settled") onSettled(now);
    // A claimed call may return to the queue.
    else tryAfter(pollMs);
  };
  // A repeated call has waited before.
  tryAfter(Math.max(0, Math.min(maxQueuedMs, call.submittedAtMs + maxQueuedMs - Date.now())));
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** The longest delay that `setTimeout` accepts. */
const MAX_TIMER_MS = 2_147_483_647;
