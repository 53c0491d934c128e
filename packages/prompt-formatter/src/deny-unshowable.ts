import type { ApprovalAnswer, ApprovalRequest } from "@haft/core";
import { formatApproval } from "./format-approval.js";

/**
 * Denies a call that is too long for one protocol message. SECURITY: nothing is approved that could not be seen in
 * full, and clients may truncate longer messages.
 */
export function denyUnshowable(request: ApprovalRequest): ApprovalAnswer | undefined {
  const { length } = formatApproval(request);
  if (length <= MAX_MESSAGE_CHARS) return undefined;
  const limit = `${length} characters, at most ${MAX_MESSAGE_CHARS}`;
  return {
    approved: false,
    feedback: `the call is too long to be shown to a person here (${limit}); split it into smaller calls`,
    by: { how: "rule", who: "message size" },
  };
}

const MAX_MESSAGE_CHARS = 256 * 1024;
