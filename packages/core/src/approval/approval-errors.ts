import { ToolError } from "../error/tool-error.js";

/** Deciding the request would run its call in this runtime, which holds another role. */
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

/** The request stays pending: the answer cannot be used. */
export function cannotRemember(problem: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", `The answer cannot be used: ${problem}`, {
    hint: "The request is still pending. Answer again with a grant of the request, or without remember.",
  });
}
