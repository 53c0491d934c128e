import type { DurableEvent, RunStarted, StepEnded, StepFailed } from "../event/run-event.js";
import { suspectCalls } from "../guard/suspect-calls.js";
import { evolveCall, resumeCall } from "./evolve-call.js";
import { type Ending, INITIAL_STATE, isOpen, type RunState } from "./run-state.js";
import { settleStep } from "./settle-step.js";

/** The next state. Pure and total: an event that says nothing new in a state only counts as heard. */
export function evolve(state: RunState, event: DurableEvent): RunState {
  const timed = { ...passTime(state, event), lastSeq: event.seq, lastAt: event.at };
  if (state.status === "done") return { ...state, lastSeq: event.seq };
  switch (event.type) {
    case "run.started":
      return started(timed, event);
    case "run.resumed":
      return withStatus({ ...timed, failures: 0, calls: timed.calls.map(resumeCall) });
    case "message.user":
      return heard(timed, event.seq);
    case "step.ended":
      return stepEnded(timed, event);
    case "step.failed":
      return stepFailed(timed, event);
    case "context.compacted":
      return {
        ...timed,
        results: timed.results.filter(({ callId }) => !event.cleared.includes(callId)),
      };
    case "run.cancelled":
      return timed.stop === undefined ? { ...timed, stop: event } : timed;
    case "run.ended":
      return { ...timed, status: "done", ended: event };
    default:
      return settleStep(withStatus(evolveCall(timed, event)));
  }
}

export function foldEvents(events: readonly DurableEvent[], from: RunState = INITIAL_STATE): RunState {
  return events.reduce(evolve, from);
}

/** Time counts while the run is at work; what passed before a restart is nobody's work. */
function passTime(state: RunState, event: DurableEvent): RunState {
  const isAtWork = state.status === "thinking" || state.status === "acting";
  if (!isAtWork || event.type === "run.resumed") return state;
  const passedMs = Date.parse(event.at) - Date.parse(state.lastAt);
  return passedMs > 0 ? { ...state, activeMs: state.activeMs + passedMs } : state;
}

function started(state: RunState, { limits, summary }: RunStarted): RunState {
  return { ...state, limits, summary };
}

function heard(state: RunState, seq: number): RunState {
  const status = state.status === "idle" ? "thinking" : state.status;
  // Who was about to stop because the model had no more to say goes on.
  const { ending, ...rest } = state;
  const isTakenUp = ending?.reason === "end_turn";
  return { ...(isTakenUp ? rest : state), status, userSeq: seq };
}

function stepEnded(state: RunState, event: StepEnded): RunState {
  if (state.status !== "thinking") return state;
  const { retryAfterMs: _, ...rest } = state;
  const next = { ...rest, step: event.step, failures: 0, text: event.text };
  if (state.final !== undefined) return { ...next, calls: [], ending: { reason: state.final } };
  if (event.calls.length === 0) return { ...next, calls: [], ...endingOf(state, event) };
  const suspects = suspectCalls(event.calls, state.history);
  const calls = event.calls.map((call) => {
    const repeats = suspects.get(call.index);
    return { ...call, status: "proposed" as const, attempts: 0, ...(repeats && { repeats }) };
  });
  return { ...next, status: "acting", calls };
}

function endingOf(state: RunState, event: StepEnded): Pick<RunState, "ending"> {
  if (event.finish === "content_filter") {
    const message = "The model's answer was withheld by a content filter";
    return { ending: { reason: "error", error: { code: "CONTENT_FILTER", message } } };
  }
  // A user who spoke while the model was thinking has not been answered yet.
  if (state.userSeq > event.heardSeq) return {};
  return { ending: event.finish === "length" ? CUT_OFF : { reason: "end_turn" } };
}

const CUT_OFF: Ending = {
  reason: "error",
  error: {
    code: "OUTPUT_CUT_OFF",
    message: "The model's answer was cut off: it reached the most it may write",
    hint: "What it had done stands. Let the model write more, or give it a smaller task.",
  },
};

function stepFailed(state: RunState, { error, retryable, retryAfterMs }: StepFailed): RunState {
  if (state.status !== "thinking") return state;
  const { retryAfterMs: _, ...rest } = state;
  const failures = state.failures + 1;
  const next = { ...rest, failures, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (retryable && failures < MAX_TURN_ATTEMPTS) return next;
  return { ...next, ending: { reason: "error", error } };
}

export const MAX_TURN_ATTEMPTS = 3;

function withStatus(state: RunState): RunState {
  if (state.status !== "acting" && state.status !== "waiting") return state;
  const open = state.calls.filter(isOpen);
  const isWaiting = open.length > 0 && open.every(({ status }) => status === "awaiting");
  return { ...state, status: isWaiting ? "waiting" : "acting" };
}
