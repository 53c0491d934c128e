import type { ApprovalAnswer } from "../approval/approval-answer.js";
import { alreadyDecided, notPending } from "../approval/approval-errors.js";
import type { StoredApproval } from "../approval/approval-store.js";
import { assertRemember, readAnswer } from "../approval/read-answer.js";
import { ToolError } from "../error/tool-error.js";
import type { MemberRight, Principal, SharedStore } from "./shared-store.js";

/**
 * Decides an approval on behalf of a principal, from any process. The call goes back to the queue and its worker acts
 * on the decision. Rejects with PERMISSION_DENIED, ALREADY_DECIDED or APPROVAL_NOT_FOUND, and with INVALID_ARGUMENTS if
 * `remember` names a grant that was not offered.
 */
export async function decideApproval(
  store: SharedStore,
  principal: Principal,
  decision: { readonly approvalId: string; readonly answer: ApprovalAnswer },
): Promise<void> {
  const { approvalId, answer } = decision;
  await assertRight(store, principal, "approve");
  const { tenant } = principal;
  const approvals = store.approvals(tenant);
  const stored = await findApproval(store, tenant, approvalId);
  if (stored === undefined)
    throw (await approvals.decision(approvalId)) === undefined
      ? notPending(approvalId)
      : alreadyDecided(approvalId);
  assertRemember(answer, stored.request);
  const isOver = (await settledAmong(store, tenant, [stored])).size > 0;
  if (isOver && stored.decision === undefined) throw notPending(approvalId);
  const by = { how: "person", who: principal.id } as const;
  const isFirst = await approvals.decide(approvalId, readAnswer({ ...answer, by }, stored.request, stored));
  // Also for the second decider: the first may have crashed before this.
  await store.calls.resume({ tenant, approvalId });
  if (!isFirst) throw alreadyDecided(approvalId);
}

/** Returns a tenant's undecided approvals, oldest first. */
export async function pendingApprovals(
  store: SharedStore,
  tenant: string,
  limit?: number,
): Promise<readonly StoredApproval[]> {
  for (let wanted = limit ?? Infinity; ; wanted *= 4) {
    const stored = await store.approvals(tenant).list(limit === undefined ? {} : { undecided: wanted });
    const undecided = stored.filter(({ decision }) => decision === undefined);
    const over = await settledAmong(store, tenant, undecided);
    const pending = undecided.filter(({ request }) => !over.has(request.callId)).slice(0, limit);
    if (undecided.length < wanted || pending.length === limit) return pending;
  }
}

/** A call that was cancelled while it waited, or deleted since, leaves its request behind. */
async function settledAmong(
  { calls }: SharedStore,
  tenant: string,
  approvals: readonly StoredApproval[],
): Promise<ReadonlySet<string>> {
  if (approvals.length === 0) return new Set();
  const callIds = [...new Set(approvals.map(({ request }) => request.callId))];
  const found = await calls.find({ tenant, callIds });
  const open = new Set(found.filter(({ state }) => state !== "settled").map(({ callId }) => callId));
  return new Set(callIds.filter((callId) => !open.has(callId)));
}

/** Rejects with PERMISSION_DENIED unless the principal has the right. */
export async function assertRight(
  store: SharedStore,
  principal: Principal,
  right: MemberRight,
): Promise<void> {
  const members = await store.members.list(principal.tenant);
  const member = members.find(({ id }) => id === principal.id);
  if (member?.rights.includes(right) === true) return;
  throw new ToolError(
    "PERMISSION_DENIED",
    `${principal.id} may not ${right} for the tenant ${principal.tenant}`,
    {
      hint: `Grant the right with: haft store member ${principal.id} --rights ${right} --tenant ${principal.tenant}`,
    },
  );
}

async function findApproval(
  store: SharedStore,
  tenant: string,
  approvalId: string,
): Promise<StoredApproval | undefined> {
  const stored = await store.approvals(tenant).list({ id: approvalId });
  return stored.find(({ request }) => request.stepId === approvalId);
}
