// The ways a call is refused, as the model is told: what stands in the way, and what was done by then.
import type { ApprovalAnswer, ApprovalRequest, Opinion } from "../approval/approval.js";
import { ToolError } from "../error/tool-error.js";
import { feedbackText } from "./feedback-text.js";
import type { CallInHand } from "./kernel.js";

export interface Progress {
  /** The tool has run, and what is asked about is whether its file changes may be applied. */
  readonly hasRun?: boolean;
}

export function policyDenied(call: CallInHand, opinion: Opinion, progress: Progress = {}): ToolError {
  const truth = progress.hasRun === true ? `${truthNow(progress)} ` : "";
  return new ToolError(
    opinion.code ?? "POLICY_DENIED",
    `${call.tool} is not allowed here: ${opinion.because}`,
    {
      hint: `${truth}Do not retry the same call.`,
    },
  );
}

export function nobodyToAsk(call: CallInHand, request: ApprovalRequest, asking: Progress): ToolError {
  return new ToolError(
    "APPROVAL_REQUIRED",
    `${call.tool} needs approval and there is nobody to ask: ${request.reason}`,
    {
      hint: `${truthNow(asking)} The host must attach an approver or allow the call by a rule.`,
      details: { risk: request.risk, changes: request.changes.map(({ kind, path }) => ({ kind, path })) },
    },
  );
}

export function denied(call: CallInHand, answer: ApprovalAnswer, asking: Progress): ToolError {
  const truth = truthNow(asking);
  const subject = asking.hasRun === true ? `the file changes of ${call.tool}` : call.tool;
  if (answer.failure === "timeout")
    return new ToolError("APPROVAL_TIMEOUT", `Nobody answered in time whether to allow ${subject}`, {
      hint: truth,
    });
  if (answer.failure === "stale") {
    return new ToolError("PLAN_STALE", `What ${call.tool} would do is no longer what was approved`, {
      hint: `${truth} Read the files again${asking.hasRun === true ? "" : " and repeat the call"}.`,
    });
  }
  const why = feedbackText(answer.feedback);
  return new ToolError("APPROVAL_DENIED", `The user did not approve ${subject}${why}`, {
    hint: `${truth} Do not retry the same call.`,
  });
}

/** What a refusal leaves behind; a model that is told wrong repeats what was done, or relies on what was not. */
function truthNow({ hasRun }: Progress): string {
  return hasRun === true ? "It has run; its file changes were not applied." : "Nothing was done.";
}
