import { expect } from "../../runner/expect.js";
import { type CallChecks, claimOne, contend, hold, newCall, recordOf, WS } from "./call-fixtures.js";

/** Submitting, finding, cancelling, quotas. */
export const SUBMIT_CHECKS: CallChecks = [
  [
    "S1 submitting a call again returns its record, even concurrently",
    async (opened) => {
      const { store } = opened;
      const records = await contend(opened, (one) => one.submit(newCall("c1")));
      for (const record of records)
        expect(record).toMatchObject({ ...newCall("c1"), state: "queued", attempt: 1 });
      expect(await store.find({ tenant: WS.tenant, callIds: ["c1", "nope"] })).toHaveLength(1);
      expect((await store.overview({ tenant: WS.tenant })).tenants).toMatchObject([{ calls: { queued: 1 } }]);
    },
  ],
  [
    "S1 a different call with a used id is rejected, before and after settlement",
    async ({ store }) => {
      const ref = await claimOne(store);
      const other = newCall("c1", { args: { path: "b.txt" } });
      await expect(store.submit(other)).rejects.toMatchObject({ code: "CALL_ID_CONFLICT" });
      await store.settle({ ...ref, settlement: { outcome: "ok", result: { text: "done" } } });
      await expect(store.submit(other)).rejects.toMatchObject({ code: "CALL_ID_CONFLICT" });
      const again = await store.submit(newCall("c1"));
      expect(again).toMatchObject({
        state: "settled",
        settlement: { outcome: "ok", result: { text: "done" } },
      });
    },
  ],
  [
    "FP5 tenants do not see each other's calls under the same ids",
    async ({ store }) => {
      await store.submit(newCall("c1"));
      const theirs = { tenant: "other", callId: "c1" };
      expect(await store.find({ tenant: "other", callIds: ["c1"] })).toEqual([]);
      expect(await store.cancel({ ...theirs, by: "eve" })).toBeUndefined();
      await hold(store, "w2", [{ tenant: "other", workspace: WS.workspace }]);
      expect(await store.claim({ worker: "w2", limit: 9 })).toEqual([]);
      await store.submit(newCall("c1", { tenant: "other", args: { path: "b.txt" } }));
      expect(await recordOf(store, "c1")).toMatchObject({ args: { path: "a.txt" }, state: "queued" });
      expect(await store.claim({ worker: "w2", limit: 9 })).toMatchObject([{ tenant: "other" }]);
      expect((await store.overview({ tenant: "other" })).tenants.map(({ tenant }) => tenant)).toEqual([
        "other",
      ]);
      expect((await store.overview({ tenant: "other" })).workspaces).toHaveLength(1);
      expect(await store.settle({ ...theirs, worker: "w1", epoch: 1, settlement: { outcome: "ok" } })).toBe(
        false,
      );
    },
  ],
  [
    "S9 cancels a queued call immediately, and asks the worker to stop a claimed one",
    async ({ store }) => {
      await store.submit(newCall("c0"));
      expect(await store.cancel({ tenant: "acme", callId: "c0", by: "ann" })).toMatchObject({
        state: "settled",
        settlement: { outcome: "cancelled", code: "CANCELLED" },
        cancelledBy: "ann",
      });
      const ref = await claimOne(store);
      expect(await store.cancel({ ...WS, callId: "c1", by: "bob" })).toMatchObject({ state: "preparing" });
      expect(await store.cancel({ ...WS, callId: "c1", by: "eve" })).toMatchObject({ cancelledBy: "bob" });
      expect((await store.duties({ worker: "w1" })).cancelled).toEqual([{ tenant: "acme", callId: "c1" }]);
      expect((await store.duties({ worker: "w2" })).cancelled).toEqual([]);
      expect(await store.started({ ...ref, isRepeatable: false })).toBe(false);
      expect(await store.settle({ ...ref, settlement: { outcome: "cancelled" } })).toBe(true);
      const settled = await recordOf(store, "c1");
      expect(await store.cancel({ ...WS, callId: "c1", by: "eve" })).toEqual(settled);
      expect(await store.cancel({ ...WS, callId: "nope", by: "eve" })).toBeUndefined();
    },
  ],
  [
    "S10 rejects calls beyond the tenant's queue, and says when to retry",
    async ({ store }) => {
      await store.limit({ tenant: WS.tenant, maxQueued: 2 });
      await store.submit(newCall("c1"));
      await store.submit(newCall("c2"));
      await expect(store.submit(newCall("c3"))).rejects.toMatchObject({
        code: "OVERLOADED",
        details: { retryAfterMs: expect.any(Number) },
      });
      expect(await store.submit(newCall("c2"))).toMatchObject({ state: "queued" });
      await store.submit(newCall("c3", { tenant: "other" }));
      await hold(store);
      await store.claim({ worker: "w1", limit: 1 });
      await store.submit(newCall("c3"));
      expect((await store.overview({ tenant: WS.tenant })).tenants).toMatchObject([
        {
          maxQueued: 2,
          maxRunning: 64,
          calls: { queued: 2, preparing: 1, awaiting_approval: 0, running: 0 },
        },
      ]);
    },
  ],
  [
    "FP5 lists unsettled calls of one tenant, oldest first, up to a limit",
    async ({ store }) => {
      const ref = await claimOne(store, "c1");
      for (const callId of ["c2", "c3"]) await store.submit(newCall(callId));
      await store.submit(newCall("theirs", { tenant: "other" }));
      const idsOf = async (limit?: number) =>
        (await store.list({ tenant: WS.tenant, ...(limit !== undefined && { limit }) })).map(
          ({ callId, state }) => `${callId} ${state}`,
        );
      expect(await idsOf()).toEqual(["c1 preparing", "c2 queued", "c3 queued"]);
      expect(await idsOf(2)).toEqual(["c1 preparing", "c2 queued"]);
      const { atMs, workspaces } = await store.overview({ tenant: WS.tenant });
      expect(workspaces).toMatchObject([{ worker: "w1", calls: { queued: 2, preparing: 1, running: 0 } }]);
      expect(workspaces[0]?.expiresAtMs).toBeGreaterThan(atMs);
      await store.settle({ ...ref, settlement: { outcome: "ok" } });
      expect(await idsOf()).toEqual(["c2 queued", "c3 queued"]);
    },
  ],
  [
    "S11 no tenant exceeds its quota with 16 claimers",
    async (opened) => {
      const { store } = opened;
      await store.limit({ tenant: WS.tenant, maxRunning: 3 });
      const places = Array.from({ length: 16 }, (_, index) => ({ ...WS, workspace: `ws-${index}` }));
      for (const [index, key] of places.entries()) {
        await hold(store, `w${index}`, [key]);
        await store.submit(newCall(`c${index}`, key));
      }
      const claimed = await contend(opened, (one, index) => one.claim({ worker: `w${index}`, limit: 4 }));
      expect(claimed.flat()).toHaveLength(3);
    },
  ],
  [
    "S11 a tenant with one call does not wait behind one with many",
    async ({ store }) => {
      await hold(store, "w1", [WS, { ...WS, tenant: "small" }]);
      for (let index = 0; index < 50; index += 1) await store.submit(newCall(`c${index}`));
      await store.submit(newCall("one", { tenant: "small" }));
      const claimed = await store.claim({ worker: "w1", limit: 4 });
      expect(claimed.map(({ callId }) => callId)).toEqual(["c0", "c1", "c2", "one"]);
    },
  ],
  [
    "FP5 a call that waits longer than its submitter allows is settled, and never runs",
    async ({ store }) => {
      await store.submit(newCall("late", { maxQueuedMs: 0 }));
      await store.submit(newCall("patient", { maxQueuedMs: 60_000 }));
      await new Promise((resolve) => setTimeout(resolve, 5));
      await hold(store);
      expect(await recordOf(store, "late")).toMatchObject({
        state: "settled",
        settlement: { outcome: "error", code: "WORKSPACE_UNAVAILABLE" },
      });
      expect(await store.claim({ worker: "w1", limit: 9 })).toMatchObject([{ callId: "patient" }]);
    },
  ],
  [
    "FP5 a call that waits longer than its submitter allows can be settled without a worker",
    async ({ store }) => {
      await store.submit(newCall("late", { maxQueuedMs: 0 }));
      await store.submit(newCall("patient", { maxQueuedMs: 60_000 }));
      await store.submit(newCall("late", { maxQueuedMs: 0, tenant: "other" }));
      await new Promise((resolve) => setTimeout(resolve, 5));
      const settlement = { outcome: "error", code: "WORKSPACE_UNAVAILABLE" };
      const late = await store.expire({ tenant: WS.tenant, callId: "late" });
      expect(late).toMatchObject({ state: "settled", settlement });
      expect(await store.expire({ tenant: WS.tenant, callId: "late" })).toEqual(late);
      expect(await store.expire({ tenant: WS.tenant, callId: "patient" })).toMatchObject({ state: "queued" });
      expect(await store.expire({ tenant: WS.tenant, callId: "nope" })).toBeUndefined();
      expect(await recordOf(store, "late", "other")).toMatchObject({ state: "queued" });
      await hold(store);
      await store.submit(newCall("claimed", { maxQueuedMs: 0 }));
      expect(await store.claim({ worker: "w1", limit: 2 })).toHaveLength(2);
      expect(await store.expire({ tenant: WS.tenant, callId: "claimed" })).toMatchObject({
        state: "preparing",
      });
    },
  ],
];
