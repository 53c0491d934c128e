import type { CallKey, WorkspaceKey } from "./call-record.js";
import { ACTIVE, type CallRow, type CallRows, textOf } from "./call-rows.js";
import type { WorkerDuties } from "./call-store.js";

/** Returns the duties of a worker for the workspaces it holds: calls to cancel, and approvals to check for answers. */
export function dutiesOf(worker: string, held: readonly WorkspaceKey[], rows: CallRows): WorkerDuties {
  const active = held.flatMap((lease) => ACTIVE.flatMap((state) => rows.inState(lease, state)));
  const awaiting = held.flatMap((lease) => rows.inState(lease, "awaiting_approval"));
  return {
    cancelled: active
      .filter((row) => row.worker === worker && row.cancelledBy !== undefined)
      .map(({ tenant, callId }) => ({ tenant, callId })),
    awaiting: awaiting.map(({ tenant, callId, workspace, approvalId = "" }) => ({
      tenant,
      callId,
      workspace,
      approvalId,
    })),
  };
}

/** Returns the claimed calls that a worker no longer knows about, for example because an answer was lost. */
export function forgottenCalls(
  held: readonly (WorkspaceKey & { readonly epoch: number })[],
  rows: CallRows,
  known: readonly CallKey[],
): readonly CallRow[] {
  const keys = new Set(known.map(({ tenant, callId }) => textOf(tenant, callId)));
  return held
    .flatMap((lease) => rows.inState(lease, "preparing").filter(({ epoch }) => epoch === lease.epoch))
    .filter(({ tenant, callId }) => !keys.has(textOf(tenant, callId)));
}
