import type { ApprovalRequest } from "../approval/approval.js";
import type { ApprovalAnswer, Approver } from "../approval/approval-answer.js";
import { readAnswer } from "../approval/read-answer.js";
import { messageOf, ToolError } from "../error/tool-error.js";
import { within } from "./call-deadline.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { nobodyToAsk, type Progress } from "./refusals.js";

export interface Asking extends Progress {
  /** Runs `work` while approval is pending, so that other calls can proceed. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/** Asks the approver. `thrown` says why that was not possible. Rejects only if the call has ended. */
export async function askPerson(
  kernel: Kernel,
  call: CallInProgress,
  { request, asking }: { readonly request: ApprovalRequest; readonly asking: Asking },
): Promise<AnsweredRequest> {
  const { approver } = kernel;
  if (approver === undefined) return { request, ...refused(nobodyToAsk(call, request, asking)) };
  call.deadline.pause();
  const answered = await asking.pause(async () => {
    const stored = await prepare(approver, request, call);
    if ("thrown" in stored) return { request, ...stored };
    kernel.events.emit(call, { type: "approval-requested", request: stored.request });
    const given = await answerOf(approver, stored.request, call);
    const { stepId: approvalId } = stored.request;
    kernel.events.emit(call, { type: "approval-answered", approvalId, answer: kernel.redact(given.answer) });
    return { request: stored.request, ...given };
  });
  call.deadline.resume();
  call.deadline.throwIfAborted();
  return answered;
}

/** An answer, together with the request as shown. */
export interface AnsweredRequest extends GivenAnswer {
  readonly request: ApprovalRequest;
}

function refused(thrown: ToolError): Required<GivenAnswer> {
  return { answer: { approved: false }, thrown };
}

interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  /** Reported unchanged. */
  readonly thrown?: ToolError;
}

/** Persists before announcing: an approver that stores requests stores this one before the event is emitted. */
async function prepare(
  approver: Approver,
  request: ApprovalRequest,
  { tool, args, deadline: { signal } }: CallInProgress,
): Promise<{ readonly request: ApprovalRequest } | Required<GivenAnswer>> {
  if (approver.prepare === undefined) return { request };
  const preparing = Promise.resolve().then(() => approver.prepare?.(request, { tool, args }) ?? request);
  try {
    return { request: await within(signal, () => preparing) };
  } catch (cause) {
    // The call has ended, but the request may still be stored: tell the approver that no call is waiting for it.
    if (signal.aborted) preparing.then((late) => approver(late, signal)).catch(() => {});
    return refused(storeFailure(cause));
  }
}

function storeFailure(cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  return new ToolError("INTERNAL", `The approval request could not be stored (${messageOf(cause)})`, {
    cause,
  });
}

/** Never rejects, and does not outlive the call. An approver that throws or returns an invalid answer denies. */
async function answerOf(
  approver: Approver,
  request: ApprovalRequest,
  { deadline: { signal } }: CallInProgress,
): Promise<GivenAnswer> {
  try {
    const answer: unknown = await within(signal, async () => approver(request, signal));
    // Only the approval manager stores requests.
    const from = approver.prepare === undefined ? "approver" : "manager";
    return { answer: readAnswer(answer, request, { from }) };
  } catch (cause) {
    if (signal.aborted) return { answer: { approved: false } };
    if (ToolError.is(cause)) return refused(cause);
    return { answer: { approved: false, feedback: `the approver failed (${messageOf(cause)})` } };
  }
}
