import { approvalRequest } from "../approval/approval-request.js";
import type { FileChange } from "../workspace/file-change.js";
import { type Asking, askPerson } from "./ask-person.js";
import { factsOf } from "./call-facts.js";
import { opinionOn } from "./judge-call.js";
import type { CallInHand, Kernel } from "./kernel.js";
import { denied, policyDenied } from "./refusals.js";

/** Why a call may go on. "asked" binds it to what the person saw. */
export type Approval = { readonly by: "policy" | "grant" | "person"; readonly modifiedArgs?: unknown };

export interface ApprovalSetting {
  /** What the call would do to files, or has done to an overlay. */
  readonly changes: readonly FileChange[];
  readonly asking: Asking;
}

/** Policy decides, gate asks. Throws what denies the call. */
export async function approveCall(
  kernel: Kernel,
  call: CallInHand,
  { changes, asking }: ApprovalSetting,
): Promise<Approval> {
  const facts = await factsOf(kernel, call, changes);
  const opinion = opinionOn(kernel, call, facts);
  if (opinion.effect === "allow") return { by: "policy" };
  if (opinion.effect === "deny") throw policyDenied(call, opinion, asking);
  const request = approvalRequest(facts, opinion, {
    digest: (bytes) => kernel.workspace.digest(bytes),
    newId: kernel.newId,
    redact: kernel.redact,
  });
  if (kernel.gate?.granted?.(request) !== undefined) return { by: "grant" };
  const answer = await askPerson(kernel, call, { request, asking });
  if (answer.approved !== true) throw denied(call, answer, asking);
  return {
    by: "person",
    ...(answer.modifiedArgs === undefined ? {} : { modifiedArgs: answer.modifiedArgs }),
  };
}
