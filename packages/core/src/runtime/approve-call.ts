import type { ApprovalRequest, Operand, Opinion } from "../approval/approval.js";
import { type ApprovalAnswer, type Decider, isApproved } from "../approval/approval-answer.js";
import { approvalRequest } from "../approval/approval-request.js";
import { grantDifference } from "../approval/grant-difference.js";
import { messageOf } from "../error/tool-error.js";
import type { FileChange } from "../workspace/file-change.js";
import { type AnsweredRequest, type Asking, askPerson } from "./ask-person.js";
import { auditAllowed, auditDecision, type Decision } from "./audit-decision.js";
import { factsOf, noteApprovedPaths } from "./call-facts.js";
import { opinionOn } from "./judge-call.js";
import { keepsApproval } from "./keep-approval.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { operandsOf } from "./operands.js";
import { denied, policyDenied, tooLateToEdit } from "./refusals.js";
import { withModifiedArguments } from "./with-modified-arguments.js";

/** Why a call may run. */
export interface Approval {
  /** "rule": an approver that answers without showing the request to anybody, such as `--approve all`. */
  readonly by: "policy" | "grant" | "rule" | "person";
  readonly modifiedArgs?: unknown;
  /** The approver wants to see the effect of the modified arguments before deciding. Only set together with them. */
  readonly showAgain?: boolean;
  /** The files that the answer covers, as they were when approval was requested. */
  readonly operands?: readonly Operand[] | undefined;
}

interface ApprovalContext {
  /** The file changes that the call would make, or has made to an overlay. */
  readonly changes: readonly FileChange[];
  /** Files it opened that no argument names. */
  readonly opened?: readonly string[];
  readonly asking: Asking;
  /** A user or a grant approved the call before it ran. */
  readonly approved?: boolean;
  /** The tool runs or has run, so its arguments can no longer be changed. */
  readonly isRunning?: boolean;
  /** Why approval must be requested again, as a clause. Rules and grants do not cover edited arguments. */
  readonly askAgain?: string | undefined;
}

/** The reason shown with the next request when an approver asks to see edited arguments. */
export const EDITED = "the arguments were changed";
const UNEDITED = "the arguments were not changed";

/**
 * Approves a call by policy, then by grants, then by prompting. Throws the refusal. An edit that leaves the arguments
 * unchanged repeats the request.
 */
export async function approveCall(
  kernel: Kernel,
  call: CallInProgress,
  context: ApprovalContext,
): Promise<Approval> {
  let { askAgain } = context;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const approval = await approveOnce(kernel, call, { ...context, askAgain });
    askAgain = await problemWithEdit(call, approval, context);
    if (askAgain === undefined) return approval;
  }
  throw denied(call, { approved: false, feedback: "the arguments were edited too often" }, context.asking);
}

/** An automated approver may give the same answer forever. */
const MAX_ROUNDS = 20;

/** Returns why an edit cannot be applied, as a clause. Throws if the edited arguments are invalid or too late. */
async function problemWithEdit(
  call: CallInProgress,
  { modifiedArgs, showAgain = false }: Approval,
  { asking, isRunning = false }: ApprovalContext,
): Promise<string | undefined> {
  if (!showAgain) {
    if (isRunning && modifiedArgs !== undefined) throw tooLateToEdit(call, asking);
    return undefined;
  }
  if (modifiedArgs === undefined || modifiedArgs === null) return UNEDITED;
  if (isRunning) return tooLateToEdit(call, asking).message;
  const edited = await withModifiedArguments(call, modifiedArgs);
  return edited === call ? UNEDITED : undefined;
}

async function approveOnce(
  kernel: Kernel,
  call: CallInProgress,
  { changes, opened = [], asking, approved = false, isRunning = false, askAgain }: ApprovalContext,
): Promise<Approval> {
  const early = kernel.needsOperands ? { operands: await operandsOf(kernel, call) } : {};
  const known = { ...(await factsOf(kernel, call, { changes, opened })), approved, ...early };
  const judged = await opinionOn(kernel, call, known);
  const opinion = askAgain !== undefined && judged.effect !== "deny" ? askedAgain(judged, askAgain) : judged;
  const facts = opinion.effect === "ask" ? { operands: await operandsOf(kernel, call), ...known } : known;
  const byRule = {
    facts,
    opinion,
    decider: { how: "rule", ...(opinion.by && { who: opinion.by }) },
  } as const;
  if (opinion.effect === "deny") {
    await auditDecision(kernel, { ...byRule, verdict: "deny" });
    throw policyDenied(call, opinion, asking);
  }
  if (opinion.effect === "allow") {
    await auditAllowed(kernel, { ...byRule, call, isRunning });
    return { by: "policy", ...early };
  }
  const request = await approvalRequest(facts, opinion, {
    digest: (bytes) => kernel.workspace.digest(bytes),
    newId: kernel.newId,
    redact: kernel.redact,
    hasRun: asking.hasRun === true,
  });
  await call.pace.breathe();
  const grant = askAgain === undefined ? await kernel.grants?.covering(request) : undefined;
  if (grant === undefined) {
    const question = await withDifference(kernel, request);
    return askAbout(kernel, call, { facts, opinion, request: question, asking });
  }
  const decider = { how: "grant", who: grant.id } as const;
  await auditDecision(kernel, { facts, opinion, request, decider, verdict: "allow" });
  noteApprovedPaths(call, facts);
  return { by: "grant", operands: facts.operands };
}

function askedAgain(judged: Opinion, why: string): Opinion {
  if (judged.effect === "allow") return { effect: "ask", because: why };
  return { ...judged, because: `${judged.because}; asked again because ${why}` };
}

/** Adds why no remembered answer covers the request, if one comes close. */
export async function withDifference(
  { grants, registry }: Kernel,
  request: ApprovalRequest,
): Promise<ApprovalRequest> {
  const remembered = (await grants?.list?.()) ?? [];
  if (remembered.length === 0) return request;
  const difference = grantDifference(request, remembered, registry.resolve(request.tool).parameters);
  if (difference === undefined) return request;
  return { ...request, reason: `${request.reason}; asked again because ${difference}` };
}

interface Question extends Pick<Decision, "facts" | "opinion"> {
  readonly request: ApprovalRequest;
  readonly asking: Asking;
}

async function askAbout(kernel: Kernel, call: CallInProgress, question: Question): Promise<Approval> {
  const { facts, opinion, asking } = question;
  const asked = await askPerson(kernel, call, question).catch(async (cancelled: unknown) => {
    // The request stays pending; its decision is recorded when it is made.
    if (keepsApproval(cancelled)) throw cancelled;
    const answer = { approved: false, feedback: `not decided: ${messageOf(cancelled)}` };
    const decider = { how: "none" } as const;
    await auditDecision(kernel, {
      facts,
      opinion,
      request: question.request,
      answer,
      verdict: "deny",
      decider,
    });
    throw cancelled;
  });
  const { request } = asked;
  const answer = await withoutUnchangedEdit(kernel, call, asked);
  const isAllowed = isApproved(answer);
  // Editing the arguments does not approve them: the next request decides.
  const verdict = isAllowed && answer.showAgain !== true ? "allow" : "deny";
  await auditDecision(kernel, { facts, opinion, request, answer, verdict, decider: deciderOf(asked) });
  if (asked.thrown !== undefined) throw asked.thrown;
  if (!isAllowed) throw denied(call, answer, asking);
  const { modifiedArgs, showAgain } = answer;
  const edited = modifiedArgs === undefined ? {} : { modifiedArgs };
  const { how } = deciderOf(asked);
  const by = how === "rule" || how === "grant" ? how : "person";
  if (showAgain === true) return { by, ...edited, showAgain };
  noteApprovedPaths(call, facts);
  return { by, operands: facts.operands, ...edited };
}

/** A form returned with equal arguments approves what was shown; with different ones, it asks to see their effect. */
async function withoutUnchangedEdit(
  { grants }: Kernel,
  call: CallInProgress,
  { answer, request }: AnsweredRequest,
): Promise<ApprovalAnswer> {
  if (answer.showAgain !== "if-changed") return answer;
  const { modifiedArgs, showAgain: _, remember, ...plain } = answer;
  const edited = await withModifiedArguments(call, modifiedArgs).catch(() => undefined);
  if (edited !== call) return { ...plain, modifiedArgs, showAgain: true };
  if (typeof remember !== "object") return plain;
  const grant = request.grants.find(({ id }) => id === remember.grant);
  if (grant !== undefined) await grants?.save?.(grant, remember);
  return { ...plain, remember };
}

function deciderOf({ answer, thrown }: AnsweredRequest): Decider {
  if (thrown !== undefined) return { how: "none" };
  if (answer.failure === "timeout") return { how: "timeout" };
  return answer.by ?? { how: "person" };
}
