import type { CallOutcome, FinalReason, RunEnded } from "../event/run-event.js";
import { planCompaction } from "../messages/plan-compaction.js";
import type { CallState, Ending, RunState } from "../state/run-state.js";
import { isOpen } from "../state/run-state.js";
import { startableCalls } from "./startable-calls.js";

/** The next actions. Actions already in progress are repeated; the driver ignores them. */
export type Command =
  | { readonly type: "think"; readonly step: number; readonly attempt: number; readonly final?: FinalReason }
  | { readonly type: "compact"; readonly cleared: readonly string[] }
  | { readonly type: "summarize" }
  | { readonly type: "call"; readonly call: CallState }
  | { readonly type: "settle"; readonly call: CallState; readonly verdict: Verdict }
  | { readonly type: "cancel"; readonly call: CallState }
  | { readonly type: "end"; readonly ended: RunEnded };

/** The outcome of a call that is not executed. */
export interface Verdict {
  readonly outcome: Exclude<CallOutcome, "ok">;
  readonly code: VerdictCode;
}

export type VerdictCode =
  | "LOOP_DETECTED"
  | "LIMIT_EXCEEDED"
  | "OUTPUT_CUT_OFF"
  | "APPROVAL_DENIED"
  | "UNKNOWN_OUTCOME";

/** Returns the commands a state calls for. Empty only when idle, waiting for approval, or finished. Pure. */
export function decide(state: RunState): readonly Command[] {
  switch (state.status) {
    case "idle":
    case "done":
      return [];
    case "waiting":
      return state.stop === undefined ? [] : state.calls.filter(isOpen).map(stopCall);
    case "acting":
      return decideCalls(state);
    case "thinking":
      return decideTurn(state);
  }
}

function decideCalls(state: RunState): readonly Command[] {
  const open = state.calls.filter(isOpen);
  if (state.stop !== undefined) return open.map(stopCall);
  const verdicts = open.flatMap((call) => {
    const verdict = verdictOn(call, state);
    return verdict === undefined ? [] : [{ type: "settle" as const, call, verdict }];
  });
  if (verdicts.length > 0) return verdicts;
  return startableCalls(state.calls).map((call) => ({ type: "call", call }));
}

/** A call that had started before the process died can no longer be cancelled. */
function stopCall(call: CallState): Command {
  return call.status === "lost"
    ? { type: "settle", call, verdict: { outcome: "unknown", code: "UNKNOWN_OUTCOME" } }
    : { type: "cancel", call };
}

function verdictOn(call: CallState, { limits }: RunState): Verdict | undefined {
  if (call.status === "lost" && !(call.idempotent && call.attempts < MAX_ATTEMPTS))
    return { outcome: "unknown", code: "UNKNOWN_OUTCOME" };
  if (call.status === "denied") return { outcome: "denied", code: "APPROVAL_DENIED" };
  if (call.status !== "proposed") return undefined;
  if (call.isCutOff === true) return { outcome: "error", code: "OUTPUT_CUT_OFF" };
  if (call.repeats !== undefined) return { outcome: "error", code: "LOOP_DETECTED" };
  return call.index >= limits.maxCalls ? { outcome: "error", code: "LIMIT_EXCEEDED" } : undefined;
}

/** A repeatable call is retried twice if its process dies. */
const MAX_ATTEMPTS = 3;

function decideTurn(state: RunState): readonly Command[] {
  const { stop, ending, final } = state;
  if (stop !== undefined) return [end(state, { reason: stop.why })];
  if (ending !== undefined) return [end(state, ending)];
  if (state.compaction === "summarize") return [{ type: "summarize" }];
  const cleared = state.compaction === "clear" ? allButNewest(state) : planCompaction(state);
  if (cleared.length > 0 || state.compaction === "clear") return [{ type: "compact", cleared }];
  const turn = { step: state.step + 1, attempt: state.failures + 1 };
  return [{ type: "think", ...turn, ...(final !== undefined && { final }) }];
}

/** Keeps the results of the last turn, which the model has not used yet. */
function allButNewest({ results, calls }: RunState): readonly string[] {
  const newest = new Set(calls.map(({ callId }) => callId));
  return results.flatMap(({ callId }) => (newest.has(callId) ? [] : [callId]));
}

function end(state: RunState, ending: Ending): Command {
  return { type: "end", ended: { type: "run.ended", summary: state.text, ...ending } };
}
