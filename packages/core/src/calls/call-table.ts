import { callDigest, callIdConflict, overloaded } from "./call-digest.js";
import { CANCELLED, isOverdue, settleLost, UNAVAILABLE } from "./call-loss.js";
import type { CallRecord, CallSettlement, NewCall, WorkspaceKey } from "./call-record.js";
import { ACTIVE, type CallRow, CallRows, recordOf, requeued, settled } from "./call-rows.js";
import {
  type CallStore,
  DEFAULT_LIST_LIMIT,
  DEFAULT_TENANT_LIMITS,
  type Lease,
  type LeaseRequest,
  type StoreOverview,
  type TenantLimits,
  type WorkerDuties,
  type WorkspaceRecord,
} from "./call-store.js";
import { fairOrder } from "./fair-order.js";
import { type LeaseSnapshot, LeaseTable } from "./lease-table.js";
import { overviewOf } from "./store-overview.js";
import { dutiesOf, forgottenCalls } from "./worker-duties.js";

/**
 * The operations of a call store over plain objects: synchronous and deterministic, with the time as an argument. The
 * memory store wraps one, the file store replays a log of operations into one, and simulations drive one directly.
 */
export class CallTable {
  readonly #rows = new CallRows();
  readonly #leases: LeaseTable;
  readonly #limits: Map<string, Required<TenantLimits>>;
  #lastOrd: number;

  /** Starts empty, or from another table's snapshot. */
  constructor({ rows, leases, limits, lastOrd }: TableSnapshot = {}) {
    this.#leases = new LeaseTable(leases);
    this.#limits = new Map(limits);
    this.#lastOrd = lastOrd ?? 0;
    for (const row of rows ?? []) this.#rows.put(row);
  }

  /** Returns everything a table needs to continue, as JSON. */
  snapshot(): TableSnapshot {
    return {
      rows: [...this.#rows.all()],
      leases: this.#leases.snapshot(),
      limits: [...this.#limits],
      lastOrd: this.#lastOrd,
    };
  }

  submit(call: NewCall, nowMs: number): CallRecord {
    const digest = callDigest(call);
    const known = this.#rows.get(call);
    if (known !== undefined) {
      if (known.digest !== digest) throw callIdConflict(call.callId);
      return recordOf(known);
    }
    const queued = this.#rows.count(call.tenant, "queued");
    if (queued >= this.#limitsOf(call.tenant).maxQueued) throw overloaded(call.tenant, queued);
    this.#lastOrd += 1;
    const fresh = { state: "queued", version: 1, attempt: 1, submittedAtMs: nowMs } as const;
    return recordOf(this.#rows.put({ ...call, ...fresh, digest, ord: this.#lastOrd }));
  }

  find({ tenant, callIds }: Input<"find">): readonly CallRecord[] {
    return callIds.flatMap((callId) => {
      const row = this.#rows.get({ tenant, callId });
      return row === undefined ? [] : [recordOf(row)];
    });
  }

  cancel({ by, ...key }: Input<"cancel">, nowMs: number): CallRecord | undefined {
    const row = this.#rows.get(key);
    if (row === undefined || row.state === "settled" || row.cancelledBy !== undefined)
      return row && recordOf(row);
    const cancelled = { ...row, cancelledBy: by, version: row.version + 1 };
    const isIdle = row.state === "queued" || row.state === "awaiting_approval";
    if (!isIdle) return recordOf(this.#rows.put(cancelled));
    return recordOf(this.#settle(cancelled, CANCELLED, nowMs));
  }

  expire(key: Input<"expire">, nowMs: number): CallRecord | undefined {
    const row = this.#rows.get(key);
    if (row === undefined || !isOverdue(row, nowMs)) return row && recordOf(row);
    return recordOf(this.#settle(row, UNAVAILABLE, nowMs));
  }

  resume({ tenant, approvalId }: Input<"resume">): boolean {
    const row = this.#rows.awaiting(tenant, approvalId);
    if (row !== undefined) this.#rows.put(requeued(row));
    return row !== undefined;
  }

  lease(request: LeaseRequest, nowMs: number): readonly Lease[] {
    const leases = this.#leases.take(request, nowMs);
    for (const lease of leases) {
      if (lease.isNew) settleLost(this.#rows, lease, nowMs);
      for (const row of [...this.#rows.inState(lease, "queued")])
        if (isOverdue(row, nowMs)) this.#settle(row, UNAVAILABLE, nowMs);
    }
    return leases;
  }

  release({ worker, workspaces }: Input<"release">): void {
    this.#leases.release(worker, workspaces);
  }

  publish({ epoch, facts, ...key }: Input<"publish">): boolean {
    return this.#leases.publish(key, epoch, facts);
  }

  workspace(key: WorkspaceKey, nowMs: number): WorkspaceRecord | undefined {
    return this.#leases.record(key, nowMs);
  }

  claim({ worker, limit, known }: Input<"claim">): readonly CallRecord[] {
    const held = this.#leases.heldBy(worker);
    const queues = held.map((lease) => this.#rows.inState(lease, "queued"));
    const chosen = fairOrder(queues, limit, (tenant) => ({
      active: this.#rows.count(tenant, ...ACTIVE),
      max: this.#limitsOf(tenant).maxRunning,
    }));
    const forgotten = known === undefined ? [] : forgottenCalls(held, this.#rows, known).map(recordOf);
    const claimed = chosen.map((row) => {
      const epoch = this.#leases.get(row)?.epoch ?? 0;
      const version = row.version + 1;
      return recordOf(this.#rows.put({ ...row, state: "preparing", worker, epoch, version }));
    });
    return [...forgotten, ...claimed];
  }

  started({ isRepeatable, ...ref }: Input<"started">, nowMs: number): boolean {
    const row = this.#rows.claimed(ref);
    if (row?.state !== "preparing" || row.cancelledBy !== undefined) return false;
    const version = row.version + 1;
    this.#rows.put({ ...row, state: "running", isRepeatable, startedAtMs: nowMs, version });
    return true;
  }

  awaitApproval({ approvalId, ...ref }: Input<"awaitApproval">, nowMs: number): boolean {
    const row = this.#rows.claimed(ref);
    if (row?.state !== "preparing") return false;
    const { worker: _, epoch: __, ...free } = row;
    if (row.cancelledBy !== undefined) this.#settle(row, CANCELLED, nowMs);
    else this.#rows.put({ ...free, state: "awaiting_approval", approvalId, version: row.version + 1 });
    return true;
  }

  settle({ settlement, ...ref }: Input<"settle">, nowMs: number): boolean {
    const row = this.#rows.claimed(ref);
    if (row !== undefined) this.#settle(row, settlement, nowMs);
    return row !== undefined;
  }

  duties({ worker }: Input<"duties">): WorkerDuties {
    return dutiesOf(worker, this.#leases.heldBy(worker), this.#rows);
  }

  limit({ tenant, ...limits }: Input<"limit">): void {
    this.#limits.set(tenant, { ...this.#limitsOf(tenant), ...limits });
  }

  list({ tenant, limit = DEFAULT_LIST_LIMIT }: Input<"list">): readonly CallRecord[] {
    return this.#rows.unsettled(tenant).slice(0, limit).map(recordOf);
  }

  overview({ tenant }: Input<"overview">, nowMs: number): StoreOverview {
    return overviewOf(tenant, {
      rows: this.#rows,
      leases: this.#leases.all(),
      known: this.#limits.keys(),
      limitsOf: (each) => this.#limitsOf(each),
      nowMs,
    });
  }

  prune({ settledBeforeMs, tenant }: Input<"prune">): number {
    return this.#rows.prune(settledBeforeMs, tenant);
  }

  #settle(row: CallRow, settlement: CallSettlement, nowMs: number): CallRow {
    return this.#rows.put(settled(row, settlement, nowMs));
  }

  #limitsOf(tenant: string): Required<TenantLimits> {
    return this.#limits.get(tenant) ?? DEFAULT_TENANT_LIMITS;
  }
}

/** The state of a call table. */
export interface TableSnapshot {
  readonly rows?: readonly CallRow[];
  readonly leases?: LeaseSnapshot;
  readonly limits?: readonly (readonly [tenant: string, limits: Required<TenantLimits>])[];
  readonly lastOrd?: number;
}

type Input<Name extends keyof CallStore> = Parameters<CallStore[Name]>[0];
