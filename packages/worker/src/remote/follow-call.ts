import { type ApprovalAnswer, messageOf, ToolError } from "@haft/core";
import { type CallRecord, decideApproval } from "@haft/core/calls";
import type { RemoteParts } from "./remote-calls.js";

export interface Following
  extends Pick<RemoteParts, "store" | "principal" | "events" | "waiter" | "approver"> {
  onClaimed(epoch: number): void;
  onSettled(call: CallRecord): void;
  onGone(): void;
}

interface FollowedCall {
  /** Reports a version that was learned elsewhere. */
  noted(call: CallRecord): void;
  stop(): void;
}

/** Follows a call to its settlement: reports its progress as events, and asks the approver when it waits for one. */
export function followCall(submitted: CallRecord, following: Following): FollowedCall {
  const { waiter, events, onClaimed, onSettled } = following;
  const { callId, tool } = submitted;
  const asked = new Map<string, AbortController>();
  let isStarted = false;
  let isOver = false;
  const noted = (call: CallRecord) => {
    if (isOver) return;
    if (call.epoch !== undefined) onClaimed(call.epoch);
    const { approvalId } = call;
    const waitsFor = call.state === "awaiting_approval" ? approvalId : undefined;
    for (const [id, over] of asked) if (id !== waitsFor) over.abort();
    if (waitsFor !== undefined && !asked.has(waitsFor)) {
      const over = new AbortController();
      asked.set(waitsFor, over);
      void ask(call, waitsFor, { ...following, over: over.signal });
    }
    if (call.startedAtMs !== undefined && !isStarted) {
      isStarted = true;
      events.emit({ callId, tool }, { type: "started", args: call.args });
    }
    if (call.state !== "settled") return;
    stop();
    onSettled(call);
  };
  const onGone = () => {
    stop();
    following.onGone();
  };
  const unfollow = waiter.follow(submitted, { onChange: noted, onGone });
  const stop = () => {
    isOver = true;
    unfollow();
    for (const over of asked.values()) over.abort();
  };
  noted(submitted);
  return { noted, stop };
}

interface Question extends Following {
  /** Aborts when anyone answers the question. */
  readonly over: AbortSignal;
}

/** Reports a question and its answer. Never rejects: an answer that cannot be stored is left to others. */
async function ask(call: CallRecord, approvalId: string, question: Question): Promise<void> {
  const { store, principal, events, approver, over } = question;
  const approvals = store.approvals(principal.tenant);
  try {
    const stored = (await approvals.list({ callId: call.callId })).find(
      ({ request }) => request.stepId === approvalId,
    );
    if (stored === undefined) return;
    events.emit(call, { type: "approval-requested", request: stored.request });
    over.addEventListener("abort", () => {
      void approvals.decision(approvalId).then(
        (decision) => {
          if (decision === undefined) return;
          const answer: ApprovalAnswer = decision.answer ?? { approved: decision.approved };
          events.emit(call, { type: "approval-answered", approvalId, answer });
        },
        () => {},
      );
    });
    if (approver === undefined) return;
    const answer = await approver(stored.request, over).catch((cause): ApprovalAnswer | undefined => {
      if (over.aborted) return undefined;
      return { approved: false, feedback: `the approver failed (${messageOf(cause)})` };
    });
    if (answer !== undefined && !over.aborted) await decideApproval(store, principal, { approvalId, answer });
  } catch (cause) {
    // Another user was first, or this principal may not decide: the call keeps waiting.
    if (!ToolError.is(cause)) throw cause;
  }
}
