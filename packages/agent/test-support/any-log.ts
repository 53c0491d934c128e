// Generates logs that any run could write: executes what `decide` returns without model, runtime or clock, with random
// outcomes, crashes and restarts.
import type { ApprovalRequest } from "@haft/core";
import fc from "fast-check";
import {
  type Command,
  DEFAULT_LIMITS,
  type DurableBody,
  type DurableEvent,
  decide,
  evolve,
  INITIAL_STATE,
  type ProposedCall,
  type RunState,
} from "../src/index.js";

/** Random numbers, each of which makes one decision. */
export const anyLog = fc.array(fc.nat({ max: 9_999 }), { minLength: 5, maxLength: 120 });

export function logOf(dice: readonly number[]): {
  readonly log: readonly DurableEvent[];
  readonly state: RunState;
} {
  const log: DurableEvent[] = [];
  let state = INITIAL_STATE;
  let at = Date.parse("2026-01-01T00:00:00Z");
  const append = (body: DurableBody, passedMs = 1) => {
    at += passedMs;
    const event = { v: 1, runId: "r", seq: state.lastSeq + 1, at: new Date(at).toISOString(), ...body };
    log.push(event as DurableEvent);
    state = evolve(state, event as DurableEvent);
  };
  append({ type: "run.started", role: "r", workspace: "/", tools: [], limits: LIMITS, summary: "turn" });
  append({ type: "message.user", id: "1", text: "Go." });
  for (const die of dice) {
    const body = nextEvent(state, die);
    if (body === undefined) break;
    append(body, die % 1_000);
  }
  return { log, state };
}

const LIMITS = { ...DEFAULT_LIMITS, maxSteps: 4, maxCalls: 4, keepTokens: 40, clearTokens: 20 };

function nextEvent(state: RunState, die: number): DurableBody | undefined {
  if (state.status === "done") return die % 2 === 0 ? { type: "run.reopened" } : undefined;
  if (state.status === "idle") return { type: "message.user", id: `${die}`, text: `again ${die}` };
  if (die % 311 === 0) return { type: "compaction.requested", by: "x" };
  if (die % 23 === 0) return { type: "run.resumed" };
  if (die % 29 === 0) return { type: "message.user", id: `${die}`, text: `say ${die}` };
  if (die % 307 === 0) return { type: "run.cancelled", by: "x", why: "cancelled" };
  if (state.status === "waiting" && state.stop === undefined) return decision(state, die);
  const commands = decide(state);
  const command = commands[die % Math.max(1, commands.length)];
  return command === undefined ? undefined : carriedOut(command, state, die);
}

function decision({ calls }: RunState, die: number): DurableBody {
  const waiting = calls.filter(({ status }) => status === "awaiting");
  const callId = waiting[die % waiting.length]?.callId ?? "";
  return {
    type: "approval.decided",
    callId,
    approvalId: "a",
    by: "x",
    answer: { approved: die % 3 !== 0, ...(die % 5 === 0 && { modifiedArgs: {} }) },
  };
}

function carriedOut(command: Command, state: RunState, die: number): DurableBody {
  switch (command.type) {
    case "end":
      return command.ended;
    case "compact":
      return { type: "context.compacted", cleared: command.cleared };
    case "summarize":
      return { type: "context.compacted", cleared: [], summary: "so far", upToSeq: state.lastSeq };
    case "think":
      return turn(command, state, die);
    case "settle":
      return settled(command.call, command.verdict.outcome, { code: command.verdict.code });
    case "cancel":
      return settled(command.call, "cancelled", {});
    case "call":
      return callEvent(command.call, die);
  }
}

function turn(
  { step, attempt, final }: Extract<Command, { type: "think" }>,
  state: RunState,
  die: number,
): DurableBody {
  if (die % 37 === 0)
    return {
      type: "step.failed",
      step,
      attempt,
      error: { code: "CONTEXT_FULL", message: "full" },
      retryable: false,
      willRetry: false,
    };
  if (die % 13 === 0)
    return {
      type: "step.failed",
      step,
      attempt,
      error: { code: "STREAM_CUT", message: "cut" },
      retryable: die % 2 === 0,
      willRetry: die % 2 === 0 && state.failures < 2,
    };
  const count = final === undefined && die % 17 !== 0 ? 1 + (die % 5) : 0;
  const heardSeq = die % 11 === 0 ? state.lastSeq - 1 : state.lastSeq;
  const calls = Array.from({ length: count }, (_, index) => proposed(step, index, die));
  return { type: "step.ended", step, heardSeq, text: `t${die}`, calls, finish: "stop" };
}

function proposed(step: number, index: number, die: number): ProposedCall {
  const accesses = ["read", "write", "exclusive"] as const;
  return {
    callId: `r:${step}:${index}`,
    id: `c${step}_${index}`,
    index,
    tool: "t",
    rawArgs: "{}",
    args: { n: die % 3 },
    terminate: die % 4 === 0,
    idempotent: die % 2 === 0,
    access: accesses[(die + index) % 3] ?? "read",
  };
}

function callEvent(call: RunState["calls"][number], die: number): DurableBody {
  const { callId, status } = call;
  if (status === "running" || status === "refused" || (status === "proposed" && die % 5 === 0))
    return settled(call, status === "refused" ? "denied" : "ok", {
      code: die % 5 < 3 ? "INVALID_ARGUMENTS" : undefined,
    });
  if (status === "proposed" && die % 3 === 0)
    return { type: "approval.requested", callId, approval: { planDigest: `${die % 2}` } as ApprovalRequest };
  return { type: "call.started", callId, attempt: call.attempts + 1 };
}

function settled(
  { callId, terminate }: { readonly callId: string; readonly terminate: boolean },
  outcome: "ok" | "error" | "denied" | "cancelled" | "unknown",
  { code }: { readonly code?: string | undefined },
): DurableBody {
  return {
    type: "call.settled",
    callId,
    outcome: outcome === "ok" && code !== undefined ? "error" : outcome,
    ...(code !== undefined && { code }),
    model: [{ type: "text", text: `result of ${callId.split(":")[2]}, some words long` }],
    effects: [],
    ms: 1,
    terminate,
  };
}
