import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Runtime } from "@haft/core";
import { memoryApprovalStore, memoryChangeJournalStore, memoryGrantStore } from "@haft/core/memory";
import { describe, expect, it } from "vitest";
import { writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

const folder = runtimeFolder({ "f.txt": "old\n" }, { tools: [writesFile], decidable: true });
const { open } = folder;
const put = { path: "f.txt", text: "new\n" };
const content = () => folder.content("f.txt");

async function firstPending(runtime: Runtime) {
  for (let round = 0; round < 1000; round += 1) {
    const [pending] = await runtime.pending();
    if (pending !== undefined) return pending;
    await delay(5);
  }
  throw new Error("nothing is pending");
}

/** A runtime whose call waits for approval. */
async function waiting(callId: string) {
  const runtime = await open();
  const call = runtime.call("writes_file", put, { callId });
  const { approvalId } = await firstPending(runtime);
  return { runtime, call, approvalId };
}

describe("FE16 closing a runtime", () => {
  it("FE16 keeps pending approvals: the call is cancelled, the request stays pending under its id", async () => {
    const { runtime, call, approvalId } = await waiting("kept");
    await runtime.dispose();
    expect(await call).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    await using next = await open();
    expect(await next.pending()).toMatchObject([{ approvalId, callId: "kept", waiter: "gone" }]);
    expect(await next.decide(approvalId, { approved: true })).toMatchObject({ result: { ok: true } });
    expect(content()).toBe("new\n");
  });

  it("FE16 the same call, made again, attaches to the kept request", async () => {
    const { runtime, call, approvalId } = await waiting("again");
    await runtime.dispose();
    await call;
    await using next = await open();
    const made = next.call("writes_file", put, { callId: "again" });
    for (let round = 0; round < 1000 && (await next.pending())[0]?.waiter !== "here"; round += 1)
      await delay(5);
    expect(await next.pending()).toMatchObject([{ approvalId, waiter: "here" }]);
    await next.decide(approvalId, { approved: true });
    expect(await made).toMatchObject({ ok: true });
  });

  it("FE16 dispose({ withdraw: true }) denies it for good", async () => {
    const { runtime, call, approvalId } = await waiting("withdrawn");
    await runtime.dispose({ withdraw: true });
    expect(await call).toMatchObject({ ok: false });
    await using next = await open();
    expect(await next.pending()).toEqual([]);
    await expect(next.decide(approvalId, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    expect(content()).toBe("old\n");
  });

  it("FE16 withdraw denies one request, in any process that waits for it; nothing runs", async () => {
    const { runtime, call, approvalId } = await waiting("one");
    await runtime.withdraw(approvalId);
    expect(await call).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    await expect(runtime.withdraw(approvalId)).rejects.toMatchObject({ code: "ALREADY_DECIDED" });
    await runtime.dispose();
    const gone = await waiting("two");
    await gone.runtime.dispose();
    await using next = await open();
    await next.withdraw(gone.approvalId);
    expect(await next.pending()).toEqual([]);
    await expect(next.decide(gone.approvalId, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    await expect(next.withdraw("nope")).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
    expect(content()).toBe("old\n");
  });

  it("FE16 a call that its caller cancels withdraws its request", async () => {
    await using runtime = await open();
    const abort = new AbortController();
    const call = runtime.call("writes_file", put, { callId: "c", signal: abort.signal });
    await firstPending(runtime);
    abort.abort();
    expect(await call).toMatchObject({ error: { code: "CANCELLED" } });
    for (let round = 0; round < 200 && (await runtime.pending()).length > 0; round += 1) await delay(5);
    expect(await runtime.pending()).toEqual([]);
  });

  it("FE16 a rejection is final: a later approval runs nothing, nor does the same call under its id", async () => {
    const { runtime, call, approvalId } = await waiting("no");
    await runtime.decide(approvalId, { approved: false });
    expect(await call).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    await expect(runtime.decide(approvalId, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    await runtime.dispose();
    await using next = await open();
    await expect(next.decide(approvalId, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    expect(content()).toBe("old\n");
  });
});

describe("FP5 stores provided by a host", () => {
  it("FP5 approvals and grants go through the given stores, and no file is written", async () => {
    const stores = { approvals: memoryApprovalStore(), grants: memoryGrantStore() };
    await using runtime = await open({ stores });
    const call = runtime.call("writes_file", put, { callId: "own" });
    const { approvalId } = await firstPending(runtime);
    expect(await stores.approvals.list()).toMatchObject([{ request: { stepId: approvalId } }]);
    // A second runtime over the same store decides, as another machine would.
    await using other = await open({ stores });
    expect(await other.pending()).toMatchObject([{ approvalId, waiter: "elsewhere" }]);
    await other.decide(approvalId, { approved: true, remember: "project" });
    expect(await call).toMatchObject({ ok: true });
    expect(await stores.grants.list()).toHaveLength(1);
    expect(await runtime.grants.list()).toHaveLength(1);
    const kept = readdirSync(join(folder.base, "state"));
    expect(kept).not.toContain("approvals");
    expect(kept).not.toContain("grants");
    writeFileSync(join(folder.root, "f.txt"), "old\n");
    expect(await runtime.call("writes_file", { ...put, text: "other\n" })).toMatchObject({ ok: true });
  });
});

describe("FP5 a change journal provided by a host", () => {
  it("FP5 changes are recorded in, listed from and undone with the given store", async () => {
    const stores = { changes: memoryChangeJournalStore() };
    const approver = async () => ({ approved: true });
    await using runtime = await open({ stores, approver });
    expect(await runtime.call("writes_file", put, { callId: "first" })).toMatchObject({ ok: true });
    expect(await runtime.changes()).toMatchObject([{ callId: "first", state: "done" }]);
    expect(readdirSync(join(folder.base, "state"))).not.toContain("journal.jsonl");
    await using other = await open({ stores, approver });
    expect(await other.changes()).toMatchObject([{ callId: "first", state: "done" }]);
    await other.undo("first");
    expect(content()).toBe("old\n");
    expect(await runtime.changes()).toMatchObject([{ state: "undone" }, { undoes: "first", state: "done" }]);
  });
});
