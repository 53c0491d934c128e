import type { StoredApproval } from "../approval/approval-store.js";
import type { CallRecord } from "./call-record.js";
import {
  DEFAULT_LIST_LIMIT,
  DEFAULT_TENANT_LIMITS,
  type TenantLimits,
  type UnsettledCounts,
  type WorkspaceOverview,
} from "./call-store.js";
import { pendingApprovals } from "./decide-approval.js";
import type { SharedStore } from "./shared-store.js";

/** A tenant's status: quotas, counts, workers, leases, the queue and pending approvals. */
export interface TeamStatus {
  readonly tenant: string;
  /** The store's clock, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly quotas: Required<TenantLimits>;
  readonly calls: UnsettledCounts;
  /** Live workers, by name. */
  readonly workers: readonly WorkerStatus[];
  /** Every workspace served so far, with its lease. */
  readonly workspaces: readonly WorkspaceOverview[];
  /** Unsettled calls, oldest first; truncated at the limit. */
  readonly queue: readonly CallRecord[];
  /** Undecided approvals, oldest first; truncated at the limit. `workspace` is the id of the workspace. */
  readonly approvals: readonly StoredApproval[];
}

export interface WorkerStatus {
  readonly worker: string;
  readonly workspaces: readonly string[];
  /** The number of calls it prepares or runs for this tenant. */
  readonly activeCalls: number;
  /** When its first lease expires unless it renews. */
  readonly expiresAtMs: number;
}

/** Reads the status of one tenant. Changes nothing; safe to poll. */
export async function teamStatus(
  store: SharedStore,
  { tenant, limit = DEFAULT_LIST_LIMIT }: { readonly tenant: string; readonly limit?: number },
): Promise<TeamStatus> {
  const [{ atMs, tenants, workspaces }, queue, approvals] = await Promise.all([
    store.calls.overview({ tenant }),
    store.calls.list({ tenant, limit }),
    pendingApprovals(store, tenant, limit),
  ]);
  const { maxRunning, maxQueued, calls } = tenants[0] ?? { ...DEFAULT_TENANT_LIMITS, calls: NO_CALLS };
  return {
    tenant,
    atMs,
    quotas: { maxRunning, maxQueued },
    calls,
    workers: workersOf(workspaces),
    workspaces,
    queue,
    approvals,
  };
}

const NO_CALLS: UnsettledCounts = { queued: 0, preparing: 0, awaiting_approval: 0, running: 0 };

function workersOf(workspaces: readonly WorkspaceOverview[]): readonly WorkerStatus[] {
  const names = new Set(workspaces.flatMap(({ worker }) => worker ?? []));
  return [...names].sort().map((worker) => {
    const held = workspaces.filter((each) => each.worker === worker);
    return {
      worker,
      workspaces: held.map(({ workspace }) => workspace),
      activeCalls: held.reduce((sum, { calls }) => sum + calls.preparing + calls.running, 0),
      expiresAtMs: Math.min(...held.map(({ expiresAtMs = Infinity }) => expiresAtMs)),
    };
  });
}
