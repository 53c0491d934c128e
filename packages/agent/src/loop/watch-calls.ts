import { type Decider, isApproved, type ToolEvent } from "@haft/core";
import type { AgentRuntime } from "./agent-runtime.js";
import type { ColouredOutput } from "./coloured-output.js";
import type { RunLog } from "./run-log.js";

export interface CallWatch {
  readonly runtime: AgentRuntime;
  readonly log: RunLog;
  readonly printed: ColouredOutput;
  /** Whether the run has been released and nothing more is logged. */
  isOver(): boolean;
  /** Returns who answered an approval, if known. */
  deciderOf(approvalId: string): string | undefined;
  /** Called when an event about a call cannot be stored. */
  failed(cause: unknown): void;
}

/** Logs the runtime's events about this run's calls. The start of a call is stored before its first effect. */
export function watchCalls(watch: CallWatch): () => void {
  return watch.runtime.watch((event) => {
    try {
      logEvent(watch, event);
    } catch (cause) {
      watch.failed(cause);
    }
  });
}

function logEvent(watch: CallWatch, event: ToolEvent): void {
  const { log } = watch;
  const call = log.state.calls.find(({ callId }) => callId === event.callId);
  if (call === undefined || call.status === "settled" || watch.isOver()) return;
  const { callId } = call;
  if (event.type === "progress") {
    watch.printed.push(callId, event.progress.message);
    log.emit({ type: "call.progress", callId, progress: event.progress });
  }
  if (event.type === "started")
    log.append({ type: "call.started", callId, attempt: call.attempts + 1 }, { durable: !call.idempotent });
  if (event.type === "approval-answered") {
    const { approvalId, answer } = event;
    const by = watch.deciderOf(approvalId) ?? "approver";
    log.append({ type: "approval.decided", callId, approvalId, by, answer });
  }
  if (event.type === "approval-requested") {
    log.append({ type: "approval.requested", callId, approval: event.request });
    const isAllowed = call.isAllowed === true && call.approval?.planDigest === event.request.planDigest;
    if (isAllowed) answerAgain(watch, callId, event.request.stepId);
  }
}

/** Repeats an approval of exactly this plan from before a restart, so that the user is prompted only once. */
function answerAgain({ runtime, log }: CallWatch, callId: string, approvalId: string): void {
  const by = recordedDecider(log, callId);
  // If it was decided elsewhere, that answer counts.
  void runtime.decide?.(approvalId, { approved: true, ...(by && { by }) }).catch(() => {});
}

/** Returns who approved a call, according to the run's journal. */
function recordedDecider(log: RunLog, callId: string): Decider | undefined {
  const decided = log.events.findLast(
    (event) => event.type === "approval.decided" && event.callId === callId && isApproved(event.answer),
  );
  return decided?.type === "approval.decided" ? decided.answer.by : undefined;
}
