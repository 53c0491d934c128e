import { MAX_REPEATS } from "@haft/core/calls";
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
  SHORT_MS,
  takeOver,
  WS,
} from "./call-fixtures.js";

/** Leases, takeover and fencing. */
export const LEASE_CHECKS: CallChecks = [
  [
    "FP5 exactly one worker gets a workspace when many ask at once",
    async (opened) => {
      const { store } = opened;
      const request = { workspaces: [WS], ttlMs: LONG_MS };
      const taken = await contend(opened, (one, index) => one.lease({ ...request, worker: `w${index}` }));
      expect(taken.flat()).toEqual([{ ...WS, epoch: 1, isNew: true }]);
      const winner = `w${taken.findIndex(({ length }) => length > 0)}`;
      expect(await store.lease({ ...request, worker: winner })).toEqual([{ ...WS, epoch: 1, isNew: false }]);
      expect(await store.workspace(WS)).toMatchObject({ ...WS, epoch: 1, worker: winner });
      expect((await store.overview({})).workspaces).toMatchObject([
        { ...WS, epoch: 1, worker: winner, expiresAtMs: expect.any(Number) },
      ]);
      expect(await store.workspace({ ...WS, tenant: "other" })).toBeUndefined();
    },
  ],
  [
    "FP5 a released workspace is free immediately, one or all",
    async ({ store }) => {
      const other = { ...WS, workspace: "ws-2" };
      await hold(store, "w1", [WS, other]);
      await store.release({ worker: "w2" });
      await store.release({ worker: "w1", workspaces: [WS] });
      const request = { worker: "w2", workspaces: [WS, other], ttlMs: LONG_MS };
      expect(await store.lease(request)).toEqual([{ ...WS, epoch: 2, isNew: true }]);
      await store.release({ worker: "w1" });
      expect(await store.lease(request)).toHaveLength(2);
    },
  ],
  [
    "FP5 publishes the tools of a workspace, unless another worker holds it by now",
    async ({ store }) => {
      const facts = { root: "/srv/ws-1", role: { name: "coder", permissions: [] }, tools: [] };
      expect(await store.publish({ ...WS, epoch: 1, facts })).toBe(false);
      await hold(store);
      expect(await store.publish({ ...WS, epoch: 1, facts })).toBe(true);
      await store.release({ worker: "w1" });
      await hold(store, "w2");
      expect(await store.publish({ ...WS, epoch: 1, facts: { ...facts, root: "/old" } })).toBe(false);
      expect(await store.workspace(WS)).toMatchObject({ epoch: 2, facts, worker: "w2" });
    },
  ],
  [
    "S2 S3 S4 a new holder settles started calls as unknown and queues the rest; the previous holder is fenced",
    async ({ store }) => {
      await store.lease({ worker: "w1", workspaces: [WS], ttlMs: SHORT_MS });
      for (const callId of ["prepared", "running", "repeatable", "cancelled"])
        await store.submit(newCall(callId));
      const claimed = await store.claim({ worker: "w1", limit: 9 });
      const refs = new Map(claimed.map((call) => [call.callId, refOf(call)]));
      const ref = (callId: string) => refs.get(callId) as ReturnType<typeof refOf>;
      await store.started({ ...ref("running"), isRepeatable: false });
      await store.started({ ...ref("repeatable"), isRepeatable: true });
      await store.cancel({ ...WS, callId: "cancelled", by: "ann" });
      expect(await takeOver(store, "w2")).toBe(2);
      expect(await recordOf(store, "prepared")).toMatchObject({ state: "queued", attempt: 2 });
      expect(await recordOf(store, "repeatable")).toMatchObject({ state: "queued", attempt: 2 });
      expect(await recordOf(store, "running")).toMatchObject({
        state: "settled",
        settlement: { outcome: "unknown", code: "UNKNOWN_OUTCOME" },
      });
      expect(await recordOf(store, "cancelled")).toMatchObject({ settlement: { outcome: "cancelled" } });
      for (const callId of refs.keys()) {
        expect(await store.started({ ...ref(callId), isRepeatable: false })).toBe(false);
        expect(await store.awaitApproval({ ...ref(callId), approvalId: "a" })).toBe(false);
        expect(await store.settle({ ...ref(callId), settlement: { outcome: "ok" } })).toBe(false);
      }
      expect(await store.claim({ worker: "w1", limit: 9 })).toEqual([]);
      const again = await store.claim({ worker: "w2", limit: 9 });
      expect(again.map(({ callId, epoch }) => [callId, epoch])).toEqual([
        ["prepared", 2],
        ["repeatable", 2],
      ]);
    },
  ],
  [
    "S3 a call that keeps losing its worker fails",
    async ({ store }) => {
      await store.submit(newCall("c1"));
      for (let round = 0; round <= MAX_REPEATS; round += 1) {
        await hold(store, `w${round}`);
        expect(await store.claim({ worker: `w${round}`, limit: 1 })).toMatchObject([{ attempt: round + 1 }]);
        await store.release({ worker: `w${round}` });
      }
      await hold(store, "last");
      expect(await recordOf(store, "c1")).toMatchObject({
        settlement: { outcome: "error", code: "WORKER_LOST" },
      });
    },
  ],
  [
    "S6 an approval outlives the worker that asked",
    async ({ store }) => {
      const ref = await claimOne(store);
      await store.awaitApproval({ ...ref, approvalId: "a1" });
      await store.release({ worker: "w1" });
      await hold(store, "w2");
      expect(await recordOf(store, "c1")).toMatchObject({ state: "awaiting_approval", attempt: 1 });
      expect((await store.duties({ worker: "w2" })).awaiting).toHaveLength(1);
      expect(await store.resume({ tenant: WS.tenant, approvalId: "a1" })).toBe(true);
      expect(await store.claim({ worker: "w2", limit: 9 })).toMatchObject([{ callId: "c1", epoch: 2 }]);
    },
  ],
  [
    "FP5 a holder can renew its expired lease until another worker takes it",
    async ({ store }) => {
      const request = { worker: "w1", workspaces: [WS], ttlMs: 1 };
      await store.lease(request);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await store.lease({ ...request, ttlMs: LONG_MS })).toEqual([{ ...WS, epoch: 1, isNew: false }]);
    },
  ],
  [
    "FP5 after an outage of the store, holders get one lease period to return",
    async ({ store }) => {
      await store.lease({ worker: "w1", workspaces: [WS], ttlMs: SHORT_MS });
      await new Promise((resolve) => setTimeout(resolve, 2 * SHORT_MS));
      expect(await store.lease({ worker: "w2", workspaces: [WS], ttlMs: SHORT_MS })).toEqual([]);
      expect(await store.lease({ worker: "w1", workspaces: [WS], ttlMs: SHORT_MS })).toMatchObject([
        { epoch: 1 },
      ]);
    },
  ],
];
