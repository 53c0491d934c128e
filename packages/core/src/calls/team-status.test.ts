import { describe, expect, it } from "vitest";
import { memorySharedStore } from "./memory-shared-store.js";
import { teamStatus } from "./team-status.js";

const WS = { tenant: "acme", workspace: "ws" };

describe("teamStatus", () => {
  it("FP5 shows an unknown tenant with default quotas and nothing else", async () => {
    expect(await teamStatus(memorySharedStore({ now: () => 7 }), { tenant: "nobody" })).toEqual({
      tenant: "nobody",
      atMs: 7,
      quotas: { maxRunning: 64, maxQueued: 10_000 },
      calls: { queued: 0, preparing: 0, awaiting_approval: 0, running: 0 },
      workers: [],
      workspaces: [],
      queue: [],
      approvals: [],
    });
  });

  it("FP5 shows workers with their leases and calls, and lists the queue of this tenant only", async () => {
    let nowMs = 1_000;
    const store = memorySharedStore({ now: () => nowMs });
    const call = { ...WS, tool: "read_file", principal: "bot", session: "s" };
    await store.calls.lease({ worker: "w1", workspaces: [WS], ttlMs: 500 });
    for (const callId of ["c1", "c2"]) await store.calls.submit({ ...call, callId });
    await store.calls.submit({ ...call, callId: "theirs", tenant: "other" });
    await store.calls.claim({ worker: "w1", limit: 1 });
    const status = await teamStatus(store, { tenant: "acme", limit: 1 });
    expect(status.workers).toEqual([
      { worker: "w1", workspaces: ["ws"], activeCalls: 1, expiresAtMs: 1_500 },
    ]);
    expect(status.calls).toMatchObject({ queued: 1, preparing: 1 });
    expect(status.queue.map(({ callId }) => callId)).toEqual(["c1"]);
    nowMs = 2_000;
    const later = await teamStatus(store, { tenant: "acme" });
    expect(later.workers).toEqual([]);
    expect(later.workspaces).toMatchObject([
      { workspace: "ws", epoch: 1, calls: { queued: 1, preparing: 1 } },
    ]);
  });
});
