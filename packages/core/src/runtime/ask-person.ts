import type { ApprovalAnswer, ApprovalGate, ApprovalRequest } from "../approval/approval.js";
import { messageOf, ToolError } from "../error/tool-error.js";
import { within } from "./call-deadline.js";
import type { CallInHand, Kernel } from "./kernel.js";
import { nobodyToAsk, type Progress } from "./refusals.js";

export interface Asking extends Progress {
  /** Runs while a person is asked, so that others can go on. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/** Throws what a gate threw on purpose, and what says that there is none. */
export async function askPerson(
  kernel: Kernel,
  call: CallInHand,
  { request, asking }: { readonly request: ApprovalRequest; readonly asking: Asking },
): Promise<ApprovalAnswer> {
  const { gate } = kernel;
  if (gate === undefined) throw nobodyToAsk(call, request, asking);
  kernel.events.emit(call, { type: "approval-requested", request });
  call.deadline.pause();
  const { answer, thrown } = await asking.pause(async () => {
    const given = await answerOf(gate, request, call);
    const shown = kernel.redact(given.answer);
    kernel.events.emit(call, { type: "approval-answered", stepId: request.stepId, answer: shown });
    return given;
  });
  call.deadline.resume();
  call.deadline.throwIfAborted();
  if (thrown !== undefined) throw thrown;
  return answer;
}

interface GivenAnswer {
  readonly answer: ApprovalAnswer;
  /** A failure that a gate threw on purpose: told as it is. */
  readonly thrown?: ToolError;
}

/**
 * Never rejects, and does not wait longer than the call lives. A gate that throws or answers nonsense
 * denies; what it threw is told, so that a defect does not look like a decision.
 */
async function answerOf(
  gate: ApprovalGate,
  request: ApprovalRequest,
  { tool, args, deadline: { signal } }: CallInHand,
): Promise<GivenAnswer> {
  try {
    const answer: unknown = await within(signal, async () => gate.ask(request, signal, { tool, args }));
    if (typeof answer === "object" && answer !== null) return { answer: answer as ApprovalAnswer };
    return { answer: { approved: false, feedback: "the approver's answer was not understood" } };
  } catch (cause) {
    if (signal.aborted) return { answer: { approved: false } };
    if (ToolError.is(cause)) return { answer: { approved: false }, thrown: cause };
    return { answer: { approved: false, feedback: `the approver failed (${messageOf(cause)})` } };
  }
}
