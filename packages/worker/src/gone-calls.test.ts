import { decideApproval, memorySharedStore, pendingApprovals, type SharedStore } from "@haft/core/calls";
import { describe, expect, it } from "vitest";
import { ANN, BOT, ServedWorkspaces, until } from "./fixtures/served-workspaces.js";
import { remoteRuntime } from "./remote/index.js";

const WRITE = { path: "b.txt", content: "new\n" };

describe("calls that another process ends", () => {
  it("S9 nobody is asked about a cancelled call, and its question can no longer be answered", async () => {
    await using served = await ServedWorkspaces.open({});
    const runtime = await served.connect();
    const written = runtime.call("write_file", WRITE, { callId: "c1" });
    const approvalId = await until(
      async () => (await pendingApprovals(served.store, "acme"))[0]?.request.stepId,
    );
    await until(async () => {
      const [call] = await served.store.calls.find({ tenant: "acme", callIds: ["c1"] });
      return call?.state === "awaiting_approval";
    });
    await served.store.calls.cancel({ tenant: "acme", callId: "c1", by: "ann" });
    expect(await written).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    expect(await pendingApprovals(served.store, "acme")).toEqual([]);
    expect(await runtime.pending()).toEqual([]);
    const late = decideApproval(served.store, ANN, { approvalId, answer: { approved: true } });
    await expect(late).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
    expect(await served.store.calls.prune({ settledBeforeMs: Date.now() + 1_000 })).toBe(1);
    expect(await pendingApprovals(served.store, "acme")).toEqual([]);
    const again = decideApproval(served.store, ANN, { approvalId, answer: { approved: true } });
    await expect(again).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
  });

  it("FP5 a call that was pruned before its client looked ends with an unknown outcome", async () => {
    const store = memorySharedStore();
    let isAway = false;
    const find: SharedStore["calls"]["find"] = (query) =>
      isAway ? Promise.reject(new Error("away")) : store.calls.find(query);
    // The client receives no hint, and looks only after the call is gone.
    const deaf: SharedStore = { ...store, calls: { ...store.calls, find, watch: () => () => {} } };
    await using served = await ServedWorkspaces.open({}, { store });
    await using runtime = await remoteRuntime({ workspace: "ws", store: deaf, principal: BOT, pollMs: 300 });
    const log = `${served.root}/log`;
    isAway = true;
    const made = runtime.call("appends", { log, line: "x" }, { callId: "c1" });
    await until(async () => {
      const [call] = await store.calls.find({ tenant: "acme", callIds: ["c1"] });
      return call?.state === "settled";
    });
    expect(await store.calls.prune({ settledBeforeMs: Date.now() + 1_000 })).toBe(1);
    isAway = false;
    const result = await made;
    expect(result).toMatchObject({ ok: false, error: { code: "UNKNOWN_OUTCOME" } });
  });
});
