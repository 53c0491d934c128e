import type { DurableEvent, RunReopened, RunStarted } from "../event/run-event.js";
import { evolveCall, resumeCall } from "./evolve-call.js";
import { compacted, stepEnded, stepFailed } from "./evolve-turn.js";
import { INITIAL_STATE, isOpen, type RunState } from "./run-state.js";
import { settleStep } from "./settle-step.js";

/** Returns the next state. Pure and total: an event that is irrelevant in a state only advances `lastSeq`. */
export function evolve(state: RunState, event: DurableEvent): RunState {
  const timed = { ...passTime(state, event), lastSeq: event.seq, lastAt: event.at };
  if (state.status === "done") return evolveEnded({ ...state, lastSeq: event.seq, lastAt: event.at }, event);
  switch (event.type) {
    case "run.started":
      return started(timed, event);
    case "run.resumed":
      return withStatus({ ...timed, failures: 0, unusable: 0, calls: timed.calls.map(resumeCall) });
    case "message.user":
      return withMessage(timed, event.seq);
    case "step.ended":
      return stepEnded(timed, event);
    case "step.failed":
      return stepFailed(timed, event);
    case "run.reopened":
      return timed;
    case "compaction.requested":
      return { ...timed, compaction: "summarize" };
    case "context.compacted":
      return compacted(timed, event);
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

/** An ended run can only be reopened, or be told to compact first. */
function evolveEnded(state: RunState, event: DurableEvent): RunState {
  if (event.type === "compaction.requested") return { ...state, compaction: "summarize" };
  return event.type === "run.reopened" ? reopened(state, event) : state;
}

/** Clears everything that ended the run. Keeps messages, changes and seen files. */
function reopened(state: RunState, { limits }: RunReopened): RunState {
  const { ended: _, ending: _ending, final: _final, stop: _stop, failingSince: _since, ...rest } = state;
  return {
    ...rest,
    status: "idle",
    calls: [],
    failures: 0,
    unusable: 0,
    invalidSteps: 0,
    history: [],
    activeMs: 0,
    openedAtStep: state.step,
    used: INITIAL_STATE.used,
    limits: { ...state.limits, ...limits },
  };
}

/** Counts time while the run is active, without the time before a restart. */
function passTime(state: RunState, event: DurableEvent): RunState {
  const isAtWork = state.status === "thinking" || state.status === "acting";
  if (!isAtWork || event.type === "run.resumed") return state;
  const passedMs = Date.parse(event.at) - Date.parse(state.lastAt);
  return passedMs > 0 ? { ...state, activeMs: state.activeMs + passedMs } : state;
}

function started(state: RunState, { limits, summary }: RunStarted): RunState {
  return { ...state, limits, summary };
}

function withMessage(state: RunState, seq: number): RunState {
  const status = state.status === "idle" ? "thinking" : state.status;
  // A run about to end because the model had finished continues instead.
  const { ending, ...rest } = state;
  const continues = ending?.reason === "end_turn";
  return { ...(continues ? rest : state), status, userSeq: seq };
}

function withStatus(state: RunState): RunState {
  if (state.status !== "acting" && state.status !== "waiting") return state;
  const open = state.calls.filter(isOpen);
  const isWaiting = open.length > 0 && open.every(({ status }) => status === "awaiting");
  return { ...state, status: isWaiting ? "waiting" : "acting" };
}
