import type { ToolEvent } from "@haft/core";
import type { AgentRuntime } from "./agent-runtime.js";
import type { RunLog } from "./run-log.js";

export interface Watched {
  readonly runtime: AgentRuntime;
  readonly log: RunLog;
  /** Nothing more is written down: the run was let go of. */
  isOver(): boolean;
  /** Who answered an approval, where that is known. */
  deciderOf(approvalId: string): string | undefined;
  /** An event about one of this run's calls cannot be kept. */
  failed(cause: unknown): void;
}

/**
 * Writes down what the runtime tells about this run's calls, as it tells it: that a call has started is
 * on disk before its first effect.
 */
export function watchCalls(watched: Watched): () => void {
  return watched.runtime.watch((event) => {
    try {
      note(watched, event);
    } catch (cause) {
      watched.failed(cause);
    }
  });
}

function note(watched: Watched, event: ToolEvent): void {
  const { log } = watched;
  const call = log.state.calls.find(({ callId }) => callId === event.callId);
  if (call === undefined || call.status === "settled" || watched.isOver()) return;
  const { callId } = call;
  if (event.type === "progress") log.tell({ type: "call.progress", callId, progress: event.progress });
  if (event.type === "started")
    log.append({ type: "call.started", callId, attempt: call.attempts + 1 }, { durable: !call.idempotent });
  if (event.type === "approval-answered") {
    const { stepId: approvalId, answer } = event;
    const by = watched.deciderOf(approvalId) ?? "approver";
    log.append({ type: "approval.decided", callId, approvalId, by, answer });
  }
  if (event.type === "approval-requested") {
    log.append({ type: "approval.requested", callId, approval: event.request });
    const isAllowed = call.isAllowed === true && call.approval?.planDigest === event.request.planDigest;
    if (isAllowed) answerAgain(watched, event.request.stepId);
  }
}

/** A person said yes to this very plan, every byte of it, before a restart: nobody is asked twice. */
function answerAgain({ runtime }: Watched, approvalId: string): void {
  // Where somebody else was faster, theirs is the answer that counts.
  void runtime.decide?.(approvalId, { approved: true }).catch(() => {});
}
