import { memorySharedStore, pendingApprovals, type SharedStore } from "@haft/core/calls";
import { describe, expect, it } from "vitest";
import { DecidedCalls } from "./decided-calls.js";
import { ServedWorkspaces, until } from "./fixtures/served-workspaces.js";

describe("calls that wait for approval", () => {
  it("FP5 leases are renewed however long it takes to look for decisions", async () => {
    const memory = memorySharedStore();
    let leases = 0;
    let answer = () => {};
    const answered = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined);
    });
    const store: SharedStore = {
      ...memory,
      calls: {
        ...memory.calls,
        lease: (request) => {
          leases += 1;
          return memory.calls.lease(request);
        },
      },
      approvals: (tenant) => {
        const approvals = memory.approvals(tenant);
        // As slow as ten thousand queries.
        return { ...approvals, decision: (id) => answered.then(() => approvals.decision(id)) };
      },
    };
    await using served = await ServedWorkspaces.open({}, { store, leaseMs: 300 });
    const runtime = await served.connect();
    void runtime.call("write_file", { path: "a.txt", content: "x" });
    await until(async () => (await pendingApprovals(store, "acme")).length === 1);
    const before = leases;
    await until(() => leases > before + 3);
    answer();
  });

  it("FP5 all of them are looked at in turn, a hundred at a time", async () => {
    const store = memorySharedStore();
    const key = { tenant: "acme", workspace: "ws" };
    await store.calls.lease({ worker: "w1", workspaces: [key], ttlMs: 60_000 });
    await store.calls.limit({ tenant: "acme", maxRunning: 500 });
    const call = { ...key, tool: "t", args: {}, principal: "p", session: "s" };
    for (let nth = 0; nth < 250; nth += 1) await store.calls.submit({ ...call, callId: `c${nth}` });
    for (const { callId, epoch = 0 } of await store.calls.claim({ worker: "w1", limit: 500 }))
      await store.calls.awaitApproval({
        tenant: "acme",
        callId,
        worker: "w1",
        epoch,
        approvalId: `a-${callId}`,
      });
    // Decided by processes that died before they could queue the calls.
    for (const callId of ["c3", "c249"])
      await store.approvals("acme").decide(`a-${callId}`, { approved: true });
    const decided = new DecidedCalls({
      store,
      workerId: "w1",
      onError: (error) => {
        throw error;
      },
    });
    const queued = async () =>
      (await store.calls.list({ tenant: "acme", limit: 500 })).filter(({ state }) => state === "queued")
        .length;
    const counts: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await decided.review();
      counts.push(await queued());
    }
    expect(counts).toEqual([1, 1, 2]);
    await store.approvals("acme").decide("a-c5", { approved: true });
    await decided.review();
    expect(await queued()).toBe(3);
  });
});
