import type { WorkspaceKey } from "./call-record.js";
import { textOf } from "./call-rows.js";
import type { Lease, LeaseRequest, WorkspaceFacts, WorkspaceRecord } from "./call-store.js";

interface LeaseRow extends WorkspaceKey {
  readonly epoch: number;
  readonly worker?: string;
  readonly expiresAtMs?: number;
  readonly facts?: WorkspaceFacts;
}

export interface LeaseSnapshot {
  readonly rows?: readonly LeaseRow[];
  readonly lastBeatMs?: number;
  readonly aliveSinceMs?: number;
}

/** The leases of a table. Deterministic: the caller passes the time. */
export class LeaseTable {
  readonly #rows = new Map<string, LeaseRow>();
  readonly #held = new Map<string, Map<string, LeaseRow>>();
  /** When a worker last requested leases, and since when requests have arrived without a gap. */
  #lastBeatMs: number | undefined;
  #aliveSinceMs: number;

  constructor({ rows = [], lastBeatMs, aliveSinceMs = 0 }: LeaseSnapshot = {}) {
    this.#lastBeatMs = lastBeatMs;
    this.#aliveSinceMs = aliveSinceMs;
    for (const row of rows) this.#put(row);
  }

  snapshot(): LeaseSnapshot {
    return {
      rows: this.all(),
      aliveSinceMs: this.#aliveSinceMs,
      ...(this.#lastBeatMs !== undefined && { lastBeatMs: this.#lastBeatMs }),
    };
  }

  /** Acquires free leases, renews held ones, and returns both. */
  take({ worker, workspaces, ttlMs }: LeaseRequest, nowMs: number): readonly Lease[] {
    // No request for a whole lease period means the store was unreachable: holders get one period to return.
    if (this.#lastBeatMs === undefined || nowMs - this.#lastBeatMs > ttlMs) this.#aliveSinceMs = nowMs;
    this.#lastBeatMs = nowMs;
    const mayTakeOver = nowMs - this.#aliveSinceMs >= ttlMs;
    return workspaces.flatMap(({ tenant, workspace }) => {
      const row = this.get({ tenant, workspace });
      const isMine = row?.worker === worker;
      const isFree = row?.worker === undefined || (mayTakeOver && (row.expiresAtMs ?? 0) < nowMs);
      if (!isMine && !isFree) return [];
      const epoch = isMine ? row.epoch : (row?.epoch ?? 0) + 1;
      this.#put({ ...row, tenant, workspace, epoch, worker, expiresAtMs: nowMs + ttlMs });
      return [{ tenant, workspace, epoch, isNew: !isMine }];
    });
  }

  release(worker: string, workspaces: readonly WorkspaceKey[] = this.heldBy(worker)): void {
    for (const key of workspaces) {
      const row = this.get(key);
      if (row?.worker !== worker) continue;
      const { worker: _, expiresAtMs: __, ...free } = row;
      this.#put(free);
    }
  }

  publish(key: WorkspaceKey, epoch: number, facts: WorkspaceFacts): boolean {
    const row = this.get(key);
    if (row?.epoch !== epoch) return false;
    this.#put({ ...row, facts });
    return true;
  }

  /** Includes the holder only while its lease lasts. */
  record(key: WorkspaceKey, nowMs: number): WorkspaceRecord | undefined {
    const row = this.get(key);
    if (row === undefined) return undefined;
    const { tenant, workspace, epoch, facts, worker } = row;
    const isHeld = worker !== undefined && (row.expiresAtMs ?? 0) >= nowMs;
    return { tenant, workspace, epoch, ...(facts && { facts }), ...(isHeld && { worker }) };
  }

  /** Returns the workspaces this worker holds, including expired leases that no other worker has taken over. */
  heldBy(worker: string): readonly LeaseRow[] {
    return [...(this.#held.get(worker)?.values() ?? [])];
  }

  get({ tenant, workspace }: WorkspaceKey): LeaseRow | undefined {
    return this.#rows.get(textOf(tenant, workspace));
  }

  all(): readonly LeaseRow[] {
    return [...this.#rows.values()];
  }

  #put(row: LeaseRow): void {
    const key = textOf(row.tenant, row.workspace);
    const before = this.#rows.get(key)?.worker;
    if (before !== undefined) this.#held.get(before)?.delete(key);
    this.#rows.set(key, row);
    if (row.worker === undefined) return;
    const held = this.#held.get(row.worker) ?? new Map<string, LeaseRow>();
    this.#held.set(row.worker, held.set(key, row));
  }
}
