import type { ApprovalAnswer, ApprovalGate, ApprovalRequest, Grant } from "@haft/core";

/** One answer, or what makes one. `true` approves, `false` denies. */
export type ScriptedAnswer =
  | boolean
  | ApprovalAnswer
  | ((request: ApprovalRequest, signal: AbortSignal) => unknown);

export interface ScriptedGate extends ApprovalGate {
  /** What it was asked, in order. */
  readonly requests: readonly ApprovalRequest[];
}

/**
 * An approver that answers from a list, in order, or by one function. Asked more often than it has
 * answers it denies and says so: a test that expected fewer questions fails.
 */
export function scriptedGate(
  script: ScriptedAnswer | readonly ScriptedAnswer[],
  options: { readonly granted?: (request: ApprovalRequest) => Grant | undefined } = {},
): ScriptedGate {
  const requests: ApprovalRequest[] = [];
  const left = Array.isArray(script) ? [...(script as readonly ScriptedAnswer[])] : undefined;
  return {
    requests,
    ...options,
    ask: async (request, signal) => {
      requests.push(request);
      const answer = left === undefined ? (script as ScriptedAnswer) : left.shift();
      if (answer === undefined) return { approved: false, feedback: "the script has no more answers" };
      const given = typeof answer === "function" ? await answer(request, signal) : answer;
      return (typeof given === "boolean" ? { approved: given } : given) as ApprovalAnswer;
    },
  };
}
