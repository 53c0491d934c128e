import type { Role } from "../permission/role.js";
import type { ToolDescription } from "../registry/describe-tool.js";
import type { CallKey, CallRecord, CallSettlement, CallState, NewCall, WorkspaceKey } from "./call-record.js";

/**
 * Stores calls from submission to settlement, and leases on workspaces. Every operation is atomic across all processes
 * that use the store, and durable once it resolves. All times are by the store's own clock.
 */
export interface CallStore {
  /**
   * Queues a call. Idempotent by id: the same call returns its record, another one with that id rejects with
   * CALL_ID_CONFLICT. Rejects with OVERLOADED while the tenant has `maxQueued` calls in the queue.
   */
  submit(call: NewCall): Promise<CallRecord>;
  /** Returns those of the given calls that exist, in any order. */
  find(query: {
    readonly tenant: string;
    readonly callIds: readonly string[];
  }): Promise<readonly CallRecord[]>;
  /**
   * Cancels a call that has not been claimed; asks the worker to stop one that has. Returns the record afterwards.
   */
  cancel(cancellation: CallKey & { readonly by: string }): Promise<CallRecord | undefined>;
  /**
   * Settles a call with WORKSPACE_UNAVAILABLE if it has been in the queue for longer than its `maxQueuedMs` and has
   * asked nobody. Returns the record afterwards.
   */
  expire(key: CallKey): Promise<CallRecord | undefined>;
  /** Puts the call that waits for this approval back into the queue. Returns true to exactly one caller. */
  resume(approval: { readonly tenant: string; readonly approvalId: string }): Promise<boolean>;

  /**
   * Takes or renews leases. A workspace is free when it was released or its lease has expired, and then only if the
   * store itself has been reachable for one lease period. A new holder raises the epoch: calls of the former holder
   * that had started are settled "unknown", all others go back to the queue. Returns the leases this worker now holds.
   */
  lease(request: LeaseRequest): Promise<readonly Lease[]>;
  /** Releases leases. Default: all that the worker holds. */
  release(release: { readonly worker: string; readonly workspaces?: readonly WorkspaceKey[] }): Promise<void>;
  /** Publishes what a workspace offers. Returns false if the lease has a later epoch. */
  publish(offer: WorkspaceKey & { readonly epoch: number; readonly facts: WorkspaceFacts }): Promise<boolean>;
  workspace(key: WorkspaceKey): Promise<WorkspaceRecord | undefined>;

  /**
   * Claims queued calls of workspaces that the worker holds, in the order of submission within a workspace. The tenant
   * with the fewest active calls comes first; no tenant has more than `maxRunning`. With `known`, the calls that the
   * worker has, it also returns prepared calls that it does not know of: the answer to their claim was lost.
   */
  claim(claim: ClaimRequest): Promise<readonly CallRecord[]>;
  /** Records that a call starts. Returns false if it must not: it was cancelled, or another worker has claimed it. */
  started(start: ClaimRef & { readonly isRepeatable: boolean }): Promise<boolean>;
  /** Suspends a call until its approval is decided. Returns false if the claim is void. */
  awaitApproval(wait: ClaimRef & { readonly approvalId: string }): Promise<boolean>;
  /** Settles a call. Returns true to exactly one caller, and only to the holder of the claim. */
  settle(settlement: ClaimRef & { readonly settlement: CallSettlement }): Promise<boolean>;
  /** Returns a worker's pending duties: calls to cancel, and calls that wait for an approval in its workspaces. */
  duties(query: { readonly worker: string }): Promise<WorkerDuties>;

  /** Sets the quotas of a tenant. */
  limit(limits: TenantLimits & { readonly tenant: string }): Promise<void>;
  /** Returns a tenant's unsettled calls, oldest first. `limit` defaults to 100. */
  list(query: { readonly tenant: string; readonly limit?: number }): Promise<readonly CallRecord[]>;
  /** Returns counts, leases and quotas, for one tenant or all. */
  overview(query: { readonly tenant?: string }): Promise<StoreOverview>;
  /** Deletes calls settled before the given time. Returns the number deleted. */
  prune(query: { readonly settledBeforeMs: number; readonly tenant?: string }): Promise<number>;

  /** Calls back when something may have changed. Only a hint: it may come late, several times, or never. */
  watch(listener: (hint: CallHint) => void): () => void;
}

export interface LeaseRequest {
  readonly worker: string;
  readonly workspaces: readonly WorkspaceKey[];
  readonly ttlMs: number;
}

export interface ClaimRequest {
  readonly worker: string;
  readonly limit: number;
  readonly known?: readonly CallKey[];
}

export interface Lease extends WorkspaceKey {
  readonly epoch: number;
  /** True if another worker held the workspace before. */
  readonly isNew: boolean;
}

/** What a client needs to know about a workspace before it makes calls. */
export interface WorkspaceFacts {
  readonly root: string;
  readonly role: Role;
  readonly tools: readonly ToolDescription[];
}

export interface WorkspaceRecord extends WorkspaceKey {
  readonly epoch: number;
  readonly facts?: WorkspaceFacts;
  /** The current lease holder, if any. */
  readonly worker?: string;
}

/** Identifies a claim. It is void once another worker holds the workspace. */
export interface ClaimRef extends CallKey {
  readonly worker: string;
  readonly epoch: number;
}

export interface WorkerDuties {
  readonly cancelled: readonly CallKey[];
  readonly awaiting: readonly (CallKey & WorkspaceKey & { readonly approvalId: string })[];
}

export interface TenantLimits {
  /** Maximum number of concurrently claimed calls across all workers. Default: 64. */
  readonly maxRunning?: number;
  /** Maximum number of queued calls. Default: 10,000. Concurrent submissions may exceed it by a few. */
  readonly maxQueued?: number;
}

export interface StoreOverview {
  /** The store's clock, in milliseconds since the epoch. Compare `expiresAtMs` with it, not with the local clock. */
  readonly atMs: number;
  readonly tenants: readonly TenantOverview[];
  readonly workspaces: readonly WorkspaceOverview[];
}

export interface TenantOverview extends Required<TenantLimits> {
  readonly tenant: string;
  readonly calls: UnsettledCounts;
}

export interface WorkspaceOverview extends WorkspaceKey {
  readonly epoch: number;
  /** The current lease holder and the expiry of its lease, if any. */
  readonly worker?: string;
  readonly expiresAtMs?: number;
  readonly calls: UnsettledCounts;
}

/** Unsettled calls by state. */
export type UnsettledCounts = Readonly<Record<Exclude<CallState, "settled">, number>>;

/**
 * "queue": there may be calls to claim. "cancel": a worker may have to stop a call. "call": these calls may have
 * changed; without ids, any.
 */
export interface CallHint {
  readonly topic: "queue" | "cancel" | "call";
  readonly callIds?: readonly string[];
}

export const DEFAULT_TENANT_LIMITS = { maxRunning: 64, maxQueued: 10_000 } as const;
export const DEFAULT_LIST_LIMIT = 100;
/** How often a call goes back to the queue after its worker was lost. */
export const MAX_REPEATS = 2;
