import { ToolError } from "@haft/core";
import { stateError } from "../journal/state-error.js";

/** Its call would be made here, so it is decided here only for what this runtime is trusted with. */
export function otherRole(asked: string, own: string): ToolError {
  return new ToolError(
    "PERMISSION_DENIED",
    `The approval is for the role ${asked}; this runtime is for ${own}`,
    { hint: `Decide it in a runtime for the role ${asked}.` },
  );
}

export function alreadyDecided(approvalId: string): ToolError {
  return new ToolError("ALREADY_DECIDED", `The approval ${approvalId} has already been decided`, {
    hint: "The first decision counts.",
  });
}

export function notPending(approvalId: string): ToolError {
  return new ToolError(
    "APPROVAL_NOT_FOUND",
    `There is no pending approval ${JSON.stringify(approvalId.slice(0, 80))}`,
  );
}

/** Nobody has refused: what the disk said is told as it is. */
export function cannotStore(cause: unknown): never {
  throw stateError(cause, "Nobody could be asked: the request for approval could not be stored");
}
