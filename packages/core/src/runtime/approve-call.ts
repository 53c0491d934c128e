import type { ApprovalAnswer, ApprovalRequest, CallFacts, Opinion } from "../approval/approval.js";
import { approvalRequest } from "../approval/approval-request.js";
import { decide } from "../approval/policies.js";
import { ToolError } from "../error/tool-error.js";
import type { FileChange } from "../workspace/file-change.js";
import type { CallInHand, Kernel } from "./kernel.js";

/** Why a call may go on. "asked" binds it to what the person saw. */
export type Approval = { readonly by: "policy" | "grant" | "person"; readonly modifiedArgs?: unknown };

export interface Asking {
  /** Runs while a person is asked, so that others can go on. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/** Policy decides, gate asks. Throws what denies the call. */
export async function approveCall(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
  asking: Asking,
): Promise<Approval> {
  const facts = factsOf(kernel, call, changes);
  const opinion = opinionOn(kernel, call, facts);
  if (opinion.effect === "allow") return { by: "policy" };
  if (opinion.effect === "deny") throw policyDenied(call, opinion);
  const request = approvalRequest(facts, opinion.because, {
    hash: (bytes) => kernel.workspace.hash(bytes),
    newId: kernel.newId,
    redact: kernel.redact,
  });
  if (kernel.gate?.granted?.(request) !== undefined) return { by: "grant" };
  const answer = await ask(kernel, call, request, asking);
  if (answer.approved !== true) throw denied(call, answer);
  return {
    by: "person",
    ...(answer.modifiedArgs === undefined ? {} : { modifiedArgs: answer.modifiedArgs }),
  };
}

/** What policy and read-before-write say together; used to explain a call as well as to decide it. */
export function opinionOn(kernel: Kernel, call: CallInHand, facts: CallFacts): Opinion {
  const opinion = decide(kernel.policy, facts);
  if (opinion.effect === "deny") return opinion;
  const objection = readFirstObjection(kernel, call, facts.changes);
  if (objection === undefined) return opinion;
  if (kernel.readBeforeWrite === "enforce") throw objection;
  return { effect: "ask", because: objection.message };
}

/** A human who changed the arguments has seen them; only what nobody may allow still stands in the way. */
export function assertNotDenied(kernel: Kernel, call: CallInHand, changes: readonly FileChange[]): void {
  const opinion = opinionOn(kernel, call, factsOf(kernel, call, changes));
  if (opinion.effect === "deny") throw policyDenied(call, opinion);
}

export function factsOf(kernel: Kernel, call: CallInHand, changes: readonly FileChange[]): CallFacts {
  return {
    callId: call.callId,
    definition: call.registered.definition,
    args: call.args,
    changes,
    role: kernel.role,
  };
}

function readFirstObjection(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
): ToolError | undefined {
  const { needsRead } = call.registered.definition;
  const isDeclared = typeof needsRead === "function" ? needsRead(call.args as never) : needsRead === true;
  const isNeeded = isDeclared || kernel.dialect.readFirst === "always";
  if (kernel.readBeforeWrite === "off" || !isNeeded) return undefined;
  const objection = kernel.ledger.objection(changes);
  if (objection === undefined) return undefined;
  const { code, message, hint, details } = objection;
  return new ToolError(code, message, {
    hint,
    details,
    next: kernel.registry.callThatShows(String(details?.path)),
  });
}

async function ask(
  kernel: Kernel,
  call: CallInHand,
  request: ApprovalRequest,
  asking: Asking,
): Promise<ApprovalAnswer> {
  const { gate } = kernel;
  if (gate === undefined) throw nobodyToAsk(call, request);
  kernel.events.emit(call, { type: "approval-requested", request });
  call.deadline.pause();
  const answer = await asking.pause(() =>
    gate.ask(request, call.deadline.signal).catch((cause) => failedGate(call, cause)),
  );
  call.deadline.resume();
  kernel.events.emit(call, { type: "approval-answered", stepId: request.stepId, answer });
  call.deadline.signal.throwIfAborted();
  return answer;
}

/** A gate that throws denies; what it threw is told, so that a defect does not look like a decision. */
function failedGate(call: CallInHand, cause: unknown): ApprovalAnswer {
  if (call.deadline.signal.aborted) return { approved: false };
  if (ToolError.is(cause)) throw cause;
  return {
    approved: false,
    feedback: `the approver failed (${cause instanceof Error ? cause.message : String(cause)})`,
  };
}

function policyDenied(call: CallInHand, opinion: Opinion): ToolError {
  return new ToolError("POLICY_DENIED", `${call.tool} is not allowed here: ${opinion.because}`, {
    hint: "Do not retry the same call.",
  });
}

function nobodyToAsk(call: CallInHand, request: ApprovalRequest): ToolError {
  return new ToolError(
    "APPROVAL_REQUIRED",
    `${call.tool} needs approval and there is nobody to ask: ${request.reason}`,
    {
      hint: "Nothing was done. The host must attach an approver or allow the call by a rule.",
      details: { risk: request.risk, changes: request.changes.map(({ kind, path }) => ({ kind, path })) },
    },
  );
}

function denied(call: CallInHand, answer: ApprovalAnswer): ToolError {
  if (answer.failure === "timeout")
    return new ToolError(
      "APPROVAL_TIMEOUT",
      `Nobody answered in time whether ${call.tool} may run; nothing was done`,
    );
  if (answer.failure === "stale") {
    return new ToolError(
      "PLAN_STALE",
      `What ${call.tool} would do is no longer what was approved; nothing was done`,
      { hint: "Read the files again and repeat the call." },
    );
  }
  const feedback = answer.feedback === undefined || answer.feedback === "" ? "" : `: ${answer.feedback}`;
  return new ToolError("APPROVAL_DENIED", `The user did not approve ${call.tool}${feedback}`, {
    hint: "Nothing was done. Do not retry the same call.",
  });
}
