import type { CallRecord, CallStore, ClaimRef, NewCall, WorkspaceKey } from "@haft/core/calls";
import type { ContractStore } from "../open-store.js";

type CallCheck = (opened: ContractStore<CallStore>) => Promise<void>;
export type CallChecks = readonly (readonly [title: string, check: CallCheck])[];

export const WS: WorkspaceKey = { tenant: "acme", workspace: "ws-1" };
/** Long enough that no lease expires during a check. */
export const LONG_MS = 60_000;
/** Short enough to wait for. */
export const SHORT_MS = 250;

export function newCall(callId: string, given: Partial<NewCall> = {}): NewCall {
  return {
    ...WS,
    callId,
    tool: "write_file",
    args: { path: "a.txt", content: "odd \ud800 \u0000 \u202e\n" },
    principal: "ann",
    session: "s1",
    ...given,
  };
}

export async function hold(
  store: CallStore,
  worker = "w1",
  keys: readonly WorkspaceKey[] = [WS],
): Promise<void> {
  await store.lease({ worker, workspaces: keys, ttlMs: LONG_MS });
}

/** Leases, submits and claims one call. */
export async function claimOne(store: CallStore, callId = "c1"): Promise<ClaimRef> {
  await hold(store);
  await store.submit(newCall(callId));
  const [call] = await store.claim({ worker: "w1", limit: 1 });
  return refOf(call as CallRecord);
}

export function refOf({ tenant, callId, worker = "", epoch = 0 }: CallRecord): ClaimRef {
  return { tenant, callId, worker, epoch };
}

export async function recordOf(
  store: CallStore,
  callId: string,
  tenant = WS.tenant,
): Promise<CallRecord | undefined> {
  return (await store.find({ tenant, callIds: [callId] }))[0];
}

/** Requests the lease until the previous one has expired. */
export async function takeOver(store: CallStore, worker: string, key: WorkspaceKey = WS): Promise<number> {
  for (;;) {
    const [lease] = await store.lease({ worker, workspaces: [key], ttlMs: SHORT_MS });
    if (lease !== undefined) return lease.epoch;
    await new Promise((resolve) => setTimeout(resolve, SHORT_MS / 5));
  }
}

/** Runs the same work for many contenders, spread over all openings of the store. */
export function contend<T>(
  { store, reopen }: ContractStore<CallStore>,
  work: (store: CallStore, index: number) => Promise<T>,
): Promise<readonly T[]> {
  const stores = [store, reopen?.() ?? store];
  return Promise.all(
    Array.from({ length: 16 }, (_, index) => work(stores[index % stores.length] as CallStore, index)),
  );
}
