import type { FinalReason } from "../event/run-event.js";
import { HOPELESS_ROUNDS, KEPT_CALLS, type MadeCall, repeatedCycle } from "../guard/repeated-cycle.js";
import { type CallState, isOpen, type RunState } from "./run-state.js";

/** When the last call of a turn is settled: think again, or a last time, or not at all. */
export function settleStep(state: RunState): RunState {
  if (state.status !== "acting" || state.calls.some(isOpen)) return state;
  const invalidSteps = state.calls.every(isRefusedForItsArguments) ? state.invalidSteps + 1 : 0;
  const history = [...state.history, ...madeCalls(state.calls)].slice(-KEPT_CALLS);
  const next: RunState = { ...state, status: "thinking", invalidSteps, history };
  const final = finalReason(next);
  if (final === undefined) return next;
  return state.summary === "none" ? { ...next, ending: { reason: final } } : { ...next, final };
}

function finalReason({ calls, history, invalidSteps, step, limits }: RunState): FinalReason | undefined {
  if (calls.every(({ terminate, outcome }) => terminate && outcome === "ok")) return "terminated";
  if (repeatedCycle(history).rounds >= HOPELESS_ROUNDS) return "loop";
  if (invalidSteps >= MAX_INVALID_STEPS) return "invalid_args";
  return step >= limits.maxSteps ? "max_steps" : undefined;
}

const MAX_INVALID_STEPS = 3;
const INVALID_CODES: ReadonlySet<string> = new Set(["INVALID_ARGUMENTS", "TOOL_NOT_FOUND"]);

function isRefusedForItsArguments({ outcome, code }: CallState): boolean {
  return outcome === "error" && code !== undefined && INVALID_CODES.has(code);
}

/** The same call several times in one turn is one step of a circle: the model has not seen a result yet. */
function madeCalls(calls: readonly CallState[]): readonly MadeCall[] {
  const made = calls.flatMap((call) => call.made ?? []);
  return made.filter((call, index) => call.whole !== made[index - 1]?.whole);
}
