import { ToolError } from "../error/tool-error.js";

/** Cancels a call but leaves its approval request pending: the call may be repeated later. */
export function cancelledForNow(message: string): ToolError {
  return new ToolError("CANCELLED", message, { cause: KEEPS_APPROVAL });
}

/** Returns whether an abort reason keeps the approval request pending. */
export function keepsApproval(reason: unknown): boolean {
  return ToolError.is(reason) && reason.cause === KEEPS_APPROVAL;
}

// Registered globally, so that two copies of this package agree.
const KEEPS_APPROVAL = Symbol.for("haft.keeps-approval");
