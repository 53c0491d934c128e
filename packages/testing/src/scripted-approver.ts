import type { ApprovalAnswer, ApprovalRequest, Approver } from "@haft/core";

/** An answer, or a function that returns one. `true` approves, `false` denies. */
export type ScriptedAnswer =
  | boolean
  | ApprovalAnswer
  | ((request: ApprovalRequest, signal: AbortSignal) => unknown);

export interface ScriptedApprover extends Approver {
  /** The requests received, in order. */
  readonly requests: readonly ApprovalRequest[];
}

/**
 * An approver that answers from a list in order, or with one function. Without answers left it denies, so that a test
 * expecting fewer requests fails.
 */
export function scriptedApprover(script: ScriptedAnswer | readonly ScriptedAnswer[]): ScriptedApprover {
  const requests: ApprovalRequest[] = [];
  const left = Array.isArray(script) ? [...(script as readonly ScriptedAnswer[])] : undefined;
  const approver: Approver = async (request, signal) => {
    requests.push(request);
    const answer = left === undefined ? (script as ScriptedAnswer) : left.shift();
    if (answer === undefined) return { approved: false, feedback: "the script has no more answers" };
    const given = typeof answer === "function" ? await answer(request, signal) : answer;
    return (typeof given === "boolean" ? { approved: given } : given) as ApprovalAnswer;
  };
  return Object.assign(approver, { requests });
}
