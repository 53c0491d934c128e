import { ToolError, type ToolResult } from "@haft/core";
import type { CallOutcome, CallRecord, CallSettlement, CallStore, ClaimRef } from "@haft/core/calls";
import { cancelledForNow, onAbort } from "@haft/core/kernel";
import { CallStart } from "./call-start.js";
import { isAway } from "./report-outages.js";
import type { SessionRuntime } from "./session-runtimes.js";

interface ClaimedRun extends SessionRuntime {
  readonly calls: CallStore;
  /** Aborts when the call is cancelled, when its workspace is lost, and when it must wait for approval. */
  readonly cancel: AbortController;
  /** Whether the store was unavailable when this worker last tried to start the call: the start may be stored. */
  readonly mayHaveStarted: boolean;
}

/** The outcome of a claimed call: a settlement, the approval it must wait for, or no store to record its start. */
export type ClaimedOutcome =
  | { readonly settlement: CallSettlement }
  | { readonly approvalId: string }
  | { readonly interruption: { readonly cause: unknown } };

/** Executes a claimed call with the embedded runtime, up to its result or its first question. Never rejects. */
export async function runClaimedCall(call: CallRecord, run: ClaimedRun): Promise<ClaimedOutcome> {
  const { runtime, events, starts, cancel } = run;
  const { tool, args, callId, options = {} } = call;
  if (call.kind === "explain")
    return { settlement: { outcome: "ok", result: await runtime.explain(tool, args) } };
  // A call that is interrupted is executed again, under the same controller.
  const attempt = new AbortController();
  const { signal } = attempt;
  const leave = onAbort(cancel.signal, () => attempt.abort(cancel.signal.reason));
  let approvalId: string | undefined;
  let isSetAside = false;
  const starting = new CallStart(() => attempt.abort(cancelledForNow("The store is unavailable")));
  starts.set(callId, starting);
  const stopFollowing = events.follow(callId, (event) => {
    if (isSetAside) return;
    // An earlier decision is found at once, so nothing needs to wait.
    if (event.type === "approval-answered") approvalId = undefined;
    if (event.type !== "approval-requested") return;
    const asked = event.request.stepId;
    approvalId = asked;
    setImmediate(() => {
      if (approvalId !== asked || signal.aborted) return;
      isSetAside = true;
      attempt.abort(cancelledForNow("The call waits for approval"));
    });
  });
  const seenBefore = new Set(runtime.seen().map(seenKey));
  try {
    const result = await runtime.call(tool, args, {
      ...options,
      ...(call.trace !== undefined && { trace: call.trace }),
      callId,
      // Must follow the options, which the client wrote.
      principal: call.principal,
      signal,
      beforeStart: async () => {
        await start(call, run).catch((cause) => {
          if (isAway(cause)) starting.interrupt(cause);
          throw cause;
        });
        starting.stored();
      },
    });
    const { interruption } = starting;
    if (interruption !== undefined && !cancel.signal.aborted) return { interruption };
    if (isSetAside && approvalId !== undefined) return { approvalId };
    const shown = runtime.seen().filter((file) => !seenBefore.has(seenKey(file)));
    return { settlement: { outcome: outcomeOf(result), result, ...(shown.length > 0 && { shown }) } };
  } finally {
    stopFollowing();
    starts.delete(callId);
    leave();
  }
}

/** The claim of a call, required by some operations. */
export function claimOf({ tenant, callId, worker = "", epoch = 0 }: CallRecord): ClaimRef {
  return { tenant, callId, worker, epoch };
}

/**
 * Records the start of the call before its first effect. A tool that only reads has no effect to record: if its worker
 * is lost, it simply runs again.
 */
async function start(call: CallRecord, { calls, runtime, mayHaveStarted }: ClaimedRun): Promise<void> {
  const description = runtime.tools().find(({ name }) => name === call.tool);
  const onlyReads = description?.permissions.every((permission) => permission === "ReadFiles") === true;
  if (onlyReads || call.options?.dryRun === true) return;
  const isRepeatable = description?.idempotent === true;
  if (await calls.started({ ...claimOf(call), isRepeatable })) return;
  if (mayHaveStarted && (await isStillRunning(call, calls))) return;
  throw new ToolError("CANCELLED", "The call was cancelled, or another worker has taken its workspace over");
}

/** Whether the start of a call is stored under this claim, although its answer was lost. */
async function isStillRunning(
  { tenant, callId, worker, epoch }: CallRecord,
  calls: CallStore,
): Promise<boolean> {
  const [now] = await calls.find({ tenant, callIds: [callId] });
  const isOurs = now?.worker === worker && now?.epoch === epoch;
  return isOurs && now?.state === "running" && now.cancelledBy === undefined;
}

function outcomeOf(result: ToolResult): CallOutcome {
  if (result.ok) return "ok";
  const { code } = result.error;
  if (code === "CANCELLED") return "cancelled";
  return code === "APPROVAL_DENIED" ? "denied" : "error";
}

function seenKey({ path, hash }: { readonly path: string; readonly hash: string }): string {
  return `${hash} ${path}`;
}
