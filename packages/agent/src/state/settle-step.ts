import { costOf } from "../event/limits.js";
import type { FinalReason } from "../event/run-event.js";
import { HISTORY_LENGTH, HOPELESS_ROUNDS, type MadeCall, repeatedCycle } from "../guard/repeated-cycle.js";
import { type CallState, isOpen, type RunState } from "./run-state.js";

/** After the last call of a turn is settled, schedules the next turn, the closing turn or the end. */
export function settleStep(state: RunState): RunState {
  if (state.status !== "acting" || state.calls.some(isOpen)) return state;
  const invalidSteps = state.calls.every(hasInvalidArguments) ? state.invalidSteps + 1 : 0;
  const history = [...state.history, ...madeCalls(state.calls)].slice(-HISTORY_LENGTH);
  const next: RunState = { ...state, status: "thinking", invalidSteps, history };
  const final = finalReason(next);
  if (final === undefined) return next;
  return state.summary === "none" ? { ...next, ending: { reason: final } } : { ...next, final };
}

function finalReason({
  calls,
  history,
  invalidSteps,
  step,
  openedAtStep,
  used,
  limits,
}: RunState): FinalReason | undefined {
  if (calls.every(({ terminate, outcome }) => terminate && outcome === "ok")) return "terminated";
  if (repeatedCycle(history).rounds >= HOPELESS_ROUNDS) return "loop";
  if (invalidSteps >= MAX_INVALID_STEPS) return calls.some(isCutOff) ? "output_limit" : "invalid_args";
  if (step - openedAtStep >= limits.maxSteps) return "max_steps";
  if (used.inputTokens + used.outputTokens >= (limits.maxTokens ?? Number.POSITIVE_INFINITY))
    return "max_tokens";
  const { prices, maxCost } = limits;
  if (prices === undefined || maxCost === undefined) return undefined;
  return costOf(used, prices) >= maxCost ? "max_cost" : undefined;
}

const MAX_INVALID_STEPS = 3;
const INVALID_CODES: ReadonlySet<string> = new Set(["INVALID_ARGUMENTS", "TOOL_NOT_FOUND", "OUTPUT_CUT_OFF"]);

function hasInvalidArguments({ outcome, code }: CallState): boolean {
  return outcome === "error" && code !== undefined && INVALID_CODES.has(code);
}

function isCutOff({ code }: CallState): boolean {
  return code === "OUTPUT_CUT_OFF";
}

/** Identical calls in one turn count as one step of a cycle, because the model has not seen a result yet. */
function madeCalls(calls: readonly CallState[]): readonly MadeCall[] {
  const made = calls.flatMap((call) => call.made ?? []);
  return made.filter((call, index) => call.whole !== made[index - 1]?.whole);
}
