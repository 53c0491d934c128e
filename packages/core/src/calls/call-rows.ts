import type { CallKey, CallRecord, CallSettlement, CallState, WorkspaceKey } from "./call-record.js";
import type { ClaimRef } from "./call-store.js";

/** A call with its position in submission order. */
export interface CallRow extends CallRecord {
  readonly ord: number;
  readonly digest: string;
}

/** The calls of a table, indexed by key, by workspace and state, and by pending approval. */
export class CallRows {
  readonly #rows = new Map<string, CallRow>();
  /** Sorted by `ord`. Excludes settled calls. */
  readonly #byPlace = new Map<string, CallRow[]>();
  readonly #byApproval = new Map<string, CallKey>();
  readonly #counts = new Map<string, number>();

  get(key: CallKey): CallRow | undefined {
    return this.#rows.get(keyOf(key));
  }

  all(): IterableIterator<CallRow> {
    return this.#rows.values();
  }

  /** Oldest first. */
  unsettled(tenant: string): readonly CallRow[] {
    const rows = [...this.all()].filter((row) => row.tenant === tenant && row.state !== "settled");
    return rows.sort((a, b) => a.ord - b.ord);
  }

  /** Oldest first. */
  inState(key: WorkspaceKey, state: CallState): readonly CallRow[] {
    return this.#byPlace.get(placeOf(key, state)) ?? [];
  }

  awaiting(tenant: string, approvalId: string): CallRow | undefined {
    const key = this.#byApproval.get(textOf(tenant, approvalId));
    return key === undefined ? undefined : this.get(key);
  }

  count(tenant: string, ...states: readonly CallState[]): number {
    return states.reduce((sum, state) => sum + (this.#counts.get(textOf(tenant, state)) ?? 0), 0);
  }

  /** Returns a claimed call if this worker still holds it. */
  claimed({ worker, epoch, ...key }: ClaimRef): CallRow | undefined {
    const row = this.get(key);
    const isActive = row?.state === "preparing" || row?.state === "running";
    return isActive && row.worker === worker && row.epoch === epoch ? row : undefined;
  }

  put(row: CallRow): CallRow {
    this.#unindex(row);
    this.#rows.set(keyOf(row), row);
    if (row.state === "settled") return row;
    const place = placeOf(row, row.state);
    const rows = this.#byPlace.get(place) ?? [];
    rows.splice(positionOf(rows, row.ord), 0, row);
    this.#byPlace.set(place, rows);
    this.#count(row, 1);
    if (row.state === "awaiting_approval" && row.approvalId !== undefined)
      this.#byApproval.set(textOf(row.tenant, row.approvalId), { tenant: row.tenant, callId: row.callId });
    return row;
  }

  /** Deletes calls that were settled before a time. Returns how many. */
  prune(settledBeforeMs: number, tenant: string | undefined): number {
    const old = [...this.all()].filter((row) => (row.settledAtMs ?? Infinity) < settledBeforeMs);
    const chosen = old.filter((row) => tenant === undefined || row.tenant === tenant);
    for (const row of chosen) {
      this.#unindex(row);
      this.#rows.delete(keyOf(row));
    }
    return chosen.length;
  }

  #unindex(key: CallKey): void {
    const row = this.get(key);
    if (row === undefined || row.state === "settled") return;
    const place = placeOf(row, row.state);
    const rows = this.#byPlace.get(place) ?? [];
    rows.splice(positionOf(rows, row.ord), 1);
    if (rows.length === 0) this.#byPlace.delete(place);
    this.#count(row, -1);
    if (row.approvalId !== undefined) this.#byApproval.delete(textOf(row.tenant, row.approvalId));
  }

  #count({ tenant, state }: CallRow, by: number): void {
    const key = textOf(tenant, state);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }
}

/** The states of a call that a worker has claimed. */
export const ACTIVE = ["preparing", "running"] as const;

/** Returns the call without what its former worker recorded, back in the queue. */
export function requeued(call: CallRow): CallRow {
  const { worker: _, epoch: __, isRepeatable: ___, startedAtMs: ____, ...row } = call;
  return { ...row, state: "queued", version: row.version + 1 };
}

export function settled(row: CallRow, settlement: CallSettlement, nowMs: number): CallRow {
  return { ...row, state: "settled", settlement, settledAtMs: nowMs, version: row.version + 1 };
}

export function recordOf({ ord: _, digest: __, ...record }: CallRow): CallRecord {
  return record;
}

/** Joins two parts into one map key. */
export function textOf(tenant: string, rest: string): string {
  return JSON.stringify([tenant, rest]);
}

function keyOf({ tenant, callId }: CallKey): string {
  return textOf(tenant, callId);
}

function placeOf({ tenant, workspace }: WorkspaceKey, state: CallState): string {
  return JSON.stringify([tenant, workspace, state]);
}

/** Returns the index of the first row at or after `ord`. */
function positionOf(rows: readonly CallRow[], ord: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as CallRow).ord < ord) low = middle + 1;
    else high = middle;
  }
  return low;
}
