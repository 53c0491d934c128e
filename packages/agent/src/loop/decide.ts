import type { CallOutcome, FinalReason, RunEnded } from "../event/run-event.js";
import { planCompaction } from "../messages/plan-compaction.js";
import type { CallState, Ending, RunState } from "../state/run-state.js";
import { isOpen } from "../state/run-state.js";
import { startableCalls } from "./startable-calls.js";

/** What is to be done. Something that is already under way is named again: whoever does it knows. */
export type Command =
  | { readonly type: "think"; readonly step: number; readonly attempt: number; readonly final?: FinalReason }
  | { readonly type: "compact"; readonly cleared: readonly string[] }
  | { readonly type: "call"; readonly call: CallState }
  | { readonly type: "settle"; readonly call: CallState; readonly verdict: Verdict }
  | { readonly type: "cancel"; readonly call: CallState }
  | { readonly type: "end"; readonly ended: RunEnded };

/** What a call comes to that is not made. */
export interface Verdict {
  readonly outcome: Exclude<CallOutcome, "ok">;
  readonly code: VerdictCode;
}

export type VerdictCode = "LOOP_DETECTED" | "LIMIT_EXCEEDED" | "APPROVAL_DENIED" | "UNKNOWN_OUTCOME";

/** What a state asks for; nothing only when it is idle, waits for people, or is over. Pure. */
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

/** What had begun and was lost cannot be called off any more. */
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
  if (call.repeats !== undefined) return { outcome: "error", code: "LOOP_DETECTED" };
  return call.index >= limits.maxCalls ? { outcome: "error", code: "LIMIT_EXCEEDED" } : undefined;
}

/** A call that may be repeated is made again twice when its process dies. */
const MAX_ATTEMPTS = 3;

function decideTurn(state: RunState): readonly Command[] {
  const { stop, ending, final } = state;
  if (stop !== undefined) return [end(state, { reason: stop.why })];
  if (ending !== undefined) return [end(state, ending)];
  const cleared = planCompaction(state);
  if (cleared.length > 0) return [{ type: "compact", cleared }];
  const turn = { step: state.step + 1, attempt: state.failures + 1 };
  return [{ type: "think", ...turn, ...(final !== undefined && { final }) }];
}

function end(state: RunState, ending: Ending): Command {
  return { type: "end", ended: { type: "run.ended", summary: state.text, ...ending } };
}
