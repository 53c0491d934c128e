import { expect } from "../../runner/expect.js";
import {
  type CallChecks,
  claimOne,
  contend,
  hold,
  LONG_MS,
  newCall,
  recordOf,
  refOf,
  WS,
} from "./call-fixtures.js";

/** Claiming, starting, approval and settlement. */
export const CLAIM_CHECKS: CallChecks = [
  [
    "S8 claims the calls of held workspaces in the order of submission",
    async ({ store }) => {
      for (const callId of ["c1", "c2", "c3"]) await store.submit(newCall(callId));
      await store.submit(newCall("elsewhere", { workspace: "ws-2" }));
      expect(await store.claim({ worker: "w1", limit: 9 })).toEqual([]);
      await hold(store);
      const first = await store.claim({ worker: "w1", limit: 2 });
      expect(first).toMatchObject([
        { ...newCall("c1"), state: "preparing", worker: "w1", epoch: 1 },
        { callId: "c2" },
      ]);
      expect(await store.claim({ worker: "w1", limit: 9 })).toMatchObject([{ callId: "c3" }]);
      expect(await store.claim({ worker: "w1", limit: 9 })).toEqual([]);
    },
  ],
  [
    "FP5 gives each call to exactly one claimer",
    async (opened) => {
      const { store } = opened;
      await hold(store);
      for (let index = 0; index < 24; index += 1) await store.submit(newCall(`c${index}`));
      const claimed = (await contend(opened, (one) => one.claim({ worker: "w1", limit: 3 }))).flat();
      const rest = await store.claim({ worker: "w1", limit: 99 });
      const ids = [...claimed, ...rest].map(({ callId }) => callId);
      expect(new Set(ids).size).toBe(24);
      expect(ids).toHaveLength(24);
    },
  ],
  [
    "FP5 returns claims whose response was lost, to a worker that lists what it holds",
    async ({ store }) => {
      const ref = await claimOne(store, "c1");
      await store.submit(newCall("c2"));
      await store.submit(newCall("c3"));
      const claim = { worker: "w1", limit: 1 };
      expect(await store.claim({ ...claim, known: [ref] })).toMatchObject([{ callId: "c2" }]);
      const again = await store.claim({ ...claim, known: [ref] });
      expect(again.map(({ callId }) => callId).sort()).toEqual(["c2", "c3"]);
      const known = ["c1", "c2", "c3"].map((callId) => ({ tenant: WS.tenant, callId }));
      expect(await store.claim({ ...claim, known })).toEqual([]);
      await store.started({ ...ref, isRepeatable: true });
      expect(await store.claim({ ...claim, known: [] })).toMatchObject([{ callId: "c2" }, { callId: "c3" }]);
      expect(await store.claim({ worker: "w2", limit: 1, known: [] })).toEqual([]);
    },
  ],
  [
    "S4 settles a call exactly once when many try at once",
    async (opened) => {
      const { store } = opened;
      const ref = await claimOne(store);
      const won = await contend(opened, (one, index) =>
        one.settle({ ...ref, settlement: { outcome: "ok", result: { index, text: "odd \ud800\u0000" } } }),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await recordOf(store, "c1")).toMatchObject({
        state: "settled",
        settledAtMs: expect.any(Number),
        settlement: { outcome: "ok", result: { index: won.indexOf(true), text: "odd \ud800\u0000" } },
      });
      expect(await store.started({ ...ref, isRepeatable: true })).toBe(false);
      expect(await store.awaitApproval({ ...ref, approvalId: "a" })).toBe(false);
    },
  ],
  [
    "S5 stores the start of a call once, and only for the holder of the claim",
    async ({ store }) => {
      const ref = await claimOne(store);
      for (const wrong of [{ worker: "w2" }, { epoch: 2 }, { callId: "nope" }, { tenant: "other" }]) {
        expect(await store.started({ ...ref, ...wrong, isRepeatable: false })).toBe(false);
        expect(await store.settle({ ...ref, ...wrong, settlement: { outcome: "ok" } })).toBe(false);
      }
      expect(await store.started({ ...ref, isRepeatable: false })).toBe(true);
      expect(await store.started({ ...ref, isRepeatable: false })).toBe(false);
      expect(await recordOf(store, "c1")).toMatchObject({
        state: "running",
        startedAtMs: expect.any(Number),
      });
      const shown = [{ path: "a.txt", hash: "h" }];
      expect(await store.settle({ ...ref, settlement: { outcome: "ok", shown } })).toBe(true);
      expect(await recordOf(store, "c1")).toMatchObject({ settlement: { outcome: "ok", shown } });
    },
  ],
  [
    "S6 a call waiting for approval cannot be claimed until it is resumed, and then once",
    async (opened) => {
      const { store } = opened;
      const ref = await claimOne(store);
      expect(await store.awaitApproval({ ...ref, approvalId: "a1" })).toBe(true);
      expect(await recordOf(store, "c1")).toMatchObject({ state: "awaiting_approval", approvalId: "a1" });
      expect(await store.claim({ worker: "w1", limit: 9 })).toEqual([]);
      expect(await store.settle({ ...ref, settlement: { outcome: "ok" } })).toBe(false);
      expect((await store.duties({ worker: "w1" })).awaiting).toEqual([
        { ...WS, callId: "c1", approvalId: "a1" },
      ]);
      expect(await store.resume({ tenant: "other", approvalId: "a1" })).toBe(false);
      const resumed = await contend(opened, (one) => one.resume({ tenant: WS.tenant, approvalId: "a1" }));
      expect(resumed.filter(Boolean)).toHaveLength(1);
      const [again] = await store.claim({ worker: "w1", limit: 9 });
      expect(again).toMatchObject({ callId: "c1", approvalId: "a1", attempt: 1 });
      expect(await store.awaitApproval({ ...ref, approvalId: "a2" })).toBe(true);
      expect(await store.resume({ tenant: WS.tenant, approvalId: "a1" })).toBe(false);
      expect(await store.cancel({ ...WS, callId: "c1", by: "ann" })).toMatchObject({ state: "settled" });
      expect(await store.resume({ tenant: WS.tenant, approvalId: "a2" })).toBe(false);
    },
  ],
  [
    "S9 a call cancelled while it is prepared does not wait for approval",
    async ({ store }) => {
      const ref = await claimOne(store);
      await store.cancel({ ...WS, callId: "c1", by: "ann" });
      expect(await store.awaitApproval({ ...ref, approvalId: "a1" })).toBe(true);
      expect(await recordOf(store, "c1")).toMatchObject({ settlement: { outcome: "cancelled" } });
    },
  ],
  [
    "FP5 prunes settled calls only, of one tenant or of all",
    async ({ store }) => {
      const ref = await claimOne(store);
      await store.settle({ ...ref, settlement: { outcome: "ok" } });
      await store.submit(newCall("waits"));
      const later = Date.now() + LONG_MS;
      expect(await store.prune({ settledBeforeMs: 0 })).toBe(0);
      expect(await store.prune({ settledBeforeMs: later, tenant: "other" })).toBe(0);
      expect(await store.prune({ settledBeforeMs: later })).toBe(1);
      expect(await recordOf(store, "c1")).toBeUndefined();
      expect(await recordOf(store, "waits")).toMatchObject({ state: "queued" });
    },
  ],
  [
    "FP5 watch reports what others submit and settle, until it is stopped",
    async (opened) => {
      const { store } = opened;
      const other = opened.reopen?.() ?? store;
      await hold(store);
      const topics = new Set<string>();
      const stop = store.watch(({ topic }) => topics.add(topic));
      await other.submit(newCall("c1"));
      const [call] = await other.claim({ worker: "w1", limit: 1 });
      if (call !== undefined) await other.settle({ ...refOf(call), settlement: { outcome: "ok" } });
      // Hints may be lost, so the check only requires that nothing breaks.
      await new Promise((resolve) => setTimeout(resolve, 50));
      stop();
      stop();
      expect([...topics].every((topic) => ["queue", "cancel", "call"].includes(topic))).toBe(true);
    },
  ],
];
