import type { ApprovalRequest } from "@haft/core";
import { type ApprovalViewOptions, approvalView } from "./approval-view.js";

/**
 * Formats an approval request as one text: tool, reason, risk, size, the full content, then the verdict line again. It
 * omits nothing, so its length grows with the call.
 */
export function formatApproval(request: ApprovalRequest, options: ApprovalViewOptions = {}): string {
  const { head, content, verdict } = approvalView(request, options);
  return [...head, ...content, "", ...verdict].join("\n");
}
