import type { ApprovalFilter, StoredApproval } from "./approval-store.js";

/** Applies a filter to the approvals of a store; oldest first. */
export function filteredApprovals(
  stored: readonly StoredApproval[],
  { callId, id, undecided }: ApprovalFilter,
): readonly StoredApproval[] {
  return stored
    .filter(({ request }) => callId === undefined || request.callId === callId)
    .filter(({ request }) => id === undefined || request.stepId === id)
    .filter(({ decision }) => undecided === undefined || decision === undefined)
    .sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1))
    .slice(0, undecided);
}
