// The errors that refuse a call: the reason, and what has been done so far.
import type { ApprovalRequest, Opinion } from "../approval/approval.js";
import type { ApprovalAnswer } from "../approval/approval-answer.js";
import { ToolError } from "../error/tool-error.js";
import { feedbackText } from "./feedback-text.js";
import type { CallInProgress } from "./kernel.js";

export interface Progress {
  /** The tool has run; the request is about applying its file changes. */
  readonly hasRun?: boolean;
}

export function policyDenied(call: CallInProgress, opinion: Opinion, progress: Progress = {}): ToolError {
  const truth = progress.hasRun === true ? `${truthNow(progress)} ` : "";
  return new ToolError(
    opinion.code ?? "POLICY_DENIED",
    `${call.tool} is not allowed here: ${opinion.because}`,
    {
      hint: `${truth}Do not retry the same call.`,
    },
  );
}

export function nobodyToAsk(call: CallInProgress, request: ApprovalRequest, asking: Progress): ToolError {
  return new ToolError(
    "APPROVAL_REQUIRED",
    `${call.tool} needs approval, but no approver is attached: ${request.reason}`,
    {
      hint: `${truthNow(asking)} The host must attach an approver or allow the call by a rule.`,
      details: { risk: request.risk, changes: request.changes.map(({ kind, path }) => ({ kind, path })) },
    },
  );
}

export function denied(call: CallInProgress, answer: ApprovalAnswer, asking: Progress): ToolError {
  const truth = truthNow(asking);
  const subject = asking.hasRun === true ? `the file changes of ${call.tool}` : call.tool;
  if (answer.failure === "timeout")
    return new ToolError("APPROVAL_TIMEOUT", `Nobody answered in time whether to allow ${subject}`, {
      hint: truth,
    });
  if (answer.failure === "stale") {
    return new ToolError("PLAN_STALE", `${call.tool} would now do something other than what was approved`, {
      hint: `${truth} Read the files again${asking.hasRun === true ? "" : " and repeat the call"}.`,
    });
  }
  const why = feedbackText(answer.feedback);
  // A run ends by itself; a model behind MCP or an agent library can only be told.
  if (answer.abort === true)
    return new ToolError(
      "APPROVAL_DENIED",
      `The user did not approve ${subject}, and stopped the task${why}`,
      {
        hint: `${truth} Make no more calls; report what is done so far.`,
      },
    );
  return new ToolError("APPROVAL_DENIED", `The user did not approve ${subject}${why}`, {
    hint: `${truth} Do not retry the same call.`,
  });
}

export function tooLateToEdit({ tool }: CallInProgress, asking: Progress): ToolError {
  const state = asking.hasRun === true ? "has already run" : "is already running";
  const hint =
    asking.hasRun === true
      ? `${truthNow(asking)} Do not retry the same call.`
      : "It opened nothing that had to be asked about. Repeat the call with the other arguments.";
  return new ToolError("APPROVAL_DENIED", `${tool} ${state}: its arguments can no longer be changed`, {
    hint,
  });
}

/**
 * States what has been done. A model that is misinformed repeats finished work, or relies on work that was not done.
 */
function truthNow({ hasRun }: Progress): string {
  return hasRun === true ? "It has run; its file changes were not applied." : "Nothing was done.";
}
