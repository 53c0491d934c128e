import type { ContextCompacted, DurableEvent, StepEnded } from "../event/run-event.js";
import { addUsage } from "../event/usage.js";
import { suspectCalls } from "../guard/suspect-calls.js";
import type { CompactionStage, Ending, RunState } from "./run-state.js";

/** Applies the model's answer: its calls are executed next, or nothing is left to do. */
export function stepEnded(state: RunState, event: StepEnded): RunState {
  if (state.status !== "thinking") return state;
  const { retryAfterMs: _, failingSince: _since, ...rest } = state;
  const next = {
    ...rest,
    step: event.step,
    used: addUsage(state.used, event.usage),
    failures: 0,
    unusable: 0,
    text: event.text,
    ...(isNearlyFull(state, event) && { compaction: nextStage(state) }),
  };
  if (state.final !== undefined) return { ...next, calls: [], ending: { reason: state.final } };
  if (event.calls.length === 0) return { ...next, calls: [], ...endingOf(state, event) };
  const suspects = suspectCalls(event.calls, state.history);
  const calls = event.calls.map((call) => {
    const repeats = suspects.get(call.index);
    return { ...call, status: "proposed" as const, attempts: 0, ...(repeats && { repeats }) };
  });
  return { ...next, status: "acting", calls };
}

function isNearlyFull({ limits }: RunState, { usage }: StepEnded): boolean {
  return limits.contextTokens !== undefined && (usage?.inputTokens ?? 0) > limits.contextTokens * FULL_SHARE;
}

/** Leaves room for one more turn and its results. */
const FULL_SHARE = 0.8;

function endingOf(state: RunState, event: StepEnded): Pick<RunState, "ending"> {
  if (event.finish === "content_filter") {
    const message = "The model's answer was withheld by a content filter";
    return { ending: { reason: "error", error: { code: "CONTENT_FILTER", message } } };
  }
  // A message sent during the turn is still unanswered.
  if (state.userSeq > event.heardSeq) return {};
  return { ending: event.finish === "length" ? CUT_OFF : { reason: "end_turn" } };
}

const CUT_OFF: Ending = {
  reason: "error",
  error: {
    code: "OUTPUT_CUT_OFF",
    message: "The model's answer was cut off by its output limit",
    hint: "Its changes remain. Raise the model's output limit, or give it a smaller task.",
  },
};

/** Schedules a retry, or ends the run with the failure. A full context is compacted first. */
export function stepFailed(state: RunState, failure: Failure): RunState {
  if (state.status !== "thinking") return state;
  const { error, willRetry, retryAfterMs, usage, at } = failure;
  const used = addUsage(state.used, usage);
  if (error.code === "CONTEXT_FULL" && state.summarizedAtStep !== state.step)
    return { ...state, used, compaction: nextStage(state) };
  const { retryAfterMs: _, ...rest } = state;
  const next = {
    ...rest,
    used,
    failures: state.failures + 1,
    unusable: isUnusable(error.code) ? state.unusable + 1 : 0,
    failingSince: state.failingSince ?? at,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return willRetry ? next : { ...next, ending: { reason: "error", error } };
}

/** The server's answer was unusable. Retries cost tokens, and waiting does not help. */
export function isUnusable(code: string): boolean {
  return code === "EMPTY_ANSWER" || code === "MALFORMED_ANSWER";
}

type Failure = Extract<DurableEvent, { readonly type: "step.failed" }>;

/** Clears old results first, because a summary costs a turn and loses more. */
function nextStage({ results, calls }: RunState): CompactionStage {
  return results.length > calls.length ? "clear" : "summarize";
}

/** Removes the weights of results that are no longer sent. */
export function compacted(
  { compaction: _, ...state }: RunState,
  { cleared, summary, usage }: ContextCompacted,
): RunState {
  const rest = { ...state, used: addUsage(state.used, usage) };
  if (summary !== undefined) return { ...rest, results: [], summarizedAtStep: state.step };
  return { ...rest, results: state.results.filter(({ callId }) => !cleared.includes(callId)) };
}
