import { isApproved } from "@haft/core";
import { estimateTokens } from "@haft/text";
import type { ApprovalDecided, CallSettled, DurableEvent } from "../event/run-event.js";
import { fingerprint } from "../guard/fingerprint.js";
import { callKey } from "../guard/suspect-calls.js";
import type { CallState, RunState } from "./run-state.js";

type CallEvent = Extract<DurableEvent, { readonly callId: string }>;

/** Applies an event about one call. Ignores everything after the first settlement. */
export function evolveCall(state: RunState, event: CallEvent): RunState {
  const call = state.calls.find(({ callId }) => callId === event.callId);
  if (call === undefined || call.status === "settled") return state;
  const next = nextCall(call, event);
  const calls = state.calls.map((each) => (each === call ? next : each));
  if (event.type !== "call.settled") return { ...state, calls };
  return { ...state, calls, results: [...state.results, weightOf(event)], seen: nowSeen(state, event) };
}

/** After a restart nothing is running: calls that had started are lost, the others are executed again. */
export function resumeCall(call: CallState): CallState {
  if (call.status === "settled") return call;
  if (call.attempts > 0) return { ...call, status: "lost" };
  const isRefused = call.status === "refused" || call.status === "denied";
  return { ...call, status: isRefused ? "denied" : "proposed" };
}

function nextCall(call: CallState, event: CallEvent): CallState {
  switch (event.type) {
    case "approval.requested": {
      const isSame = call.approval?.planDigest === event.approval.planDigest;
      const { isAllowed: _, ...rest } = call;
      return { ...(isSame ? call : rest), status: "awaiting", approval: event.approval };
    }
    case "approval.decided":
      return decided(call, event);
    case "call.started":
      return { ...call, status: "running", attempts: event.attempt };
    case "call.settled":
      return settled(call, event);
  }
}

function decided(call: CallState, { answer }: ApprovalDecided): CallState {
  if (!isApproved(answer)) {
    const { feedback = "" } = answer;
    return { ...call, status: "refused", feedback };
  }
  // Edited arguments are not stored here, so that plan must be approved again.
  return { ...call, status: "allowed", isAllowed: answer.modifiedArgs === undefined };
}

function settled(call: CallState, { outcome, code, terminate, model }: CallSettled): CallState {
  const key = callKey(call);
  const whole = call.repeats ?? fingerprint(JSON.stringify([key, outcome, model]));
  return {
    ...call,
    status: "settled",
    outcome,
    terminate,
    made: { call: key, whole },
    ...(code !== undefined && { code }),
  };
}

function weightOf({ callId, model }: CallSettled): RunState["results"][number] {
  const tokens = model.reduce(
    (sum, part) => sum + (part.type === "text" ? estimateTokens(part.text) : IMAGE_TOKENS),
    0,
  );
  return { callId, tokens };
}

/** Rough token cost of an image. */
const IMAGE_TOKENS = 1_000;

function nowSeen({ seen }: RunState, event: CallSettled): RunState["seen"] {
  if (event.seen === undefined) return seen;
  return { ...seen, ...Object.fromEntries(event.seen.map(({ path, hash }) => [path, hash])) };
}
