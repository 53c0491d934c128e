import type { ApprovalRecord, ApprovalStore } from "@haft/core/stores";
import { type Checks, describeChecks } from "./contract/describe-checks.js";
import type { OpenStore } from "./contract/open-store.js";
import { expect } from "./runner/expect.js";

/** Tests the contract of an approval store. `open` returns an empty store. */
export function describeApprovalContract(name: string, open: OpenStore<ApprovalStore>): void {
  describeChecks(`the approval contract: ${name}`, open, CHECKS);
}

const CHECKS: Checks<ApprovalStore> = [
  [
    "FP5 lists what was inserted, oldest first, whole and by call",
    async (opened) => {
      const { store } = opened;
      expect(await store.list()).toEqual([]);
      expect(await store.list({ callId: "c1" })).toEqual([]);
      await store.insert(record("b", "c1", "2026-01-02T00:00:00.000Z"));
      await store.insert(record("a", "c1", "2026-01-01T00:00:00.000Z"));
      await store.insert(record("c", "../../etc", "2026-01-03T00:00:00.000Z"));
      expect(await store.list()).toMatchObject([
        record("a", "c1", "2026-01-01T00:00:00.000Z"),
        record("b", "c1", "2026-01-02T00:00:00.000Z"),
        record("c", "../../etc", "2026-01-03T00:00:00.000Z"),
      ]);
      expect(idsOf(await store.list({ callId: "c1" }))).toEqual(["a", "b"]);
      expect(idsOf(await store.list({ callId: "../../etc" }))).toEqual(["c"]);
      expect(idsOf((await (opened.reopen?.() ?? store).list()) ?? [])).toEqual(["a", "b", "c"]);
    },
  ],
  [
    "FP5 lists the one with an id, or the oldest undecided ones",
    async ({ store }) => {
      for (const [day, id] of ["a", "b", "c", "d"].entries())
        await store.insert(record(id, `c-${id}`, `2026-01-0${day + 1}T00:00:00.000Z`));
      await store.decide("b", { approved: true });
      expect(idsOf(await store.list({ id: "b" }))).toEqual(["b"]);
      expect(idsOf(await store.list({ id: "c", callId: "c-a" }))).toEqual([]);
      expect(await store.list({ id: "nope" })).toEqual([]);
      expect(idsOf(await store.list({ undecided: 2 }))).toEqual(["a", "c"]);
      expect(idsOf(await store.list({ undecided: 9 }))).toEqual(["a", "c", "d"]);
    },
  ],
  [
    "FP5 inserting an id again changes only who waits",
    async (opened) => {
      const { store } = opened;
      await store.insert(record("a"));
      await store.release("a");
      await store.insert(record("a"));
      expect(await store.list()).toMatchObject([{ request: { stepId: "a" }, isWaitedFor: true }]);
    },
  ],
  [
    "FP5 exactly one decides and exactly one takes when many try at once",
    async (opened) => {
      const { store } = opened;
      const stores = [store, opened.reopen?.() ?? store];
      await store.insert(record("a"));
      const each = <T>(work: (store: ApprovalStore, index: number) => Promise<T>) =>
        Promise.all(
          Array.from({ length: 16 }, (_, index) => work(stores[index % 2] as ApprovalStore, index)),
        );
      const decided = await each((one, index) =>
        one.decide("a", { approved: index % 2 === 0, feedback: String(index) }),
      );
      expect(decided.filter(Boolean)).toHaveLength(1);
      const winner = decided.indexOf(true);
      const decision = await store.decision("a");
      expect(decision).toMatchObject({ approved: winner % 2 === 0, answer: { feedback: String(winner) } });
      expect(await store.list()).toMatchObject([{ decision: { approved: winner % 2 === 0 } }]);
      const taken = await each((one) => one.take("a"));
      expect(taken.filter(Boolean)).toHaveLength(1);
    },
  ],
  [
    "FP5 taking deletes request and answer but keeps the decision",
    async (opened) => {
      const { store } = opened;
      await store.insert(record("a"));
      await store.decide("a", { approved: true, modifiedArgs: { secret: 1 } });
      expect(await store.take("a")).toBe(true);
      expect(await store.list()).toEqual([]);
      expect(await store.decision("a")).toEqual({ decidedAt: expect.any(String), approved: true });
      expect(await store.decide("a", { approved: true })).toBe(false);
      expect(await store.take("a")).toBe(false);
    },
  ],
  [
    "FP5 release leaves the request pending",
    async (opened) => {
      const { store } = opened;
      await store.insert(record("a"));
      expect(await store.list()).toMatchObject([{ isWaitedFor: true }]);
      await store.renew("a");
      await store.release("a");
      await store.release("a");
      expect(await store.list()).toMatchObject([{ request: { stepId: "a" }, isWaitedFor: false }]);
      expect(await store.decide("a", { approved: false })).toBe(true);
    },
  ],
  [
    "FP5 unknown ids have no decision and cannot be taken, renewed or released",
    async (opened) => {
      const { store } = opened;
      for (const id of ["nope", "", "../x", "x".repeat(500)]) {
        expect(await store.decision(id)).toBeUndefined();
        expect(await store.take(id)).toBe(false);
        await store.renew(id);
        await store.release(id);
      }
      expect(await store.list()).toEqual([]);
    },
  ],
  [
    "FP5 watch reports decisions of others, until it is stopped",
    async (opened) => {
      const { store } = opened;
      await store.insert(record("a"));
      let stop = () => {};
      const hinted = new Promise<void>((resolve) => {
        stop = store.watch(resolve);
      });
      await (opened.reopen?.() ?? store).decide("a", { approved: true });
      // Hints may be lost, so the check only requires that watching can be stopped and nothing breaks.
      await Promise.race([hinted, new Promise((resolve) => setTimeout(resolve, 200))]);
      stop();
      stop();
    },
  ],
];

function idsOf(stored: readonly ApprovalRecord[]): readonly string[] {
  return stored.map(({ request }) => request.stepId);
}

function record(stepId: string, callId = "call", requestedAt = "2026-01-01T00:00:00.000Z"): ApprovalRecord {
  const base = { tool: "write_file", role: "coder" };
  return {
    request: {
      stepId,
      callId,
      ...base,
      args: { path: "a.txt", content: "odd \ud800 \u202e\n" },
      reason: "it would modify a.txt",
      changes: [],
      risk: "medium",
      grants: [{ id: "call", label: "this exact call", match: { ...base, callDigest: "d" } }],
      planDigest: "p",
    },
    requestedAt,
    workspace: "/ws",
    call: { tool: "write_file", args: { path: "a.txt", content: "the content" } },
    hidesArguments: false,
  };
}
