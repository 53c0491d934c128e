import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolEvent } from "@haft/core";
import { decideApproval, pendingApprovals } from "@haft/core/calls";
import { isDecision } from "@haft/core/stores";
import { WriteFile } from "@haft/tool-fs";
import { describe, expect, it } from "vitest";
import { ANN, BOT, ServedWorkspaces, until } from "./fixtures/served-workspaces.js";

describe("a runtime whose calls a worker executes", () => {
  it("FP5 reads, describes its tools and explains like a local one", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" });
    const runtime = await served.connect();
    expect(runtime.tools().map(({ name }) => name)).toContain("read_file");
    expect(runtime.role.name).toBe("coder");
    expect(runtime.workspace.absolute("a.txt")).toBe(served.path("a.txt"));
    const result = await runtime.call("read_file", { path: "a.txt" });
    expect(result).toMatchObject({ ok: true, tool: "read_file", text: expect.stringContaining("alpha") });
    expect(runtime.seen()).toMatchObject([{ path: "a.txt" }]);
    expect(await runtime.explain("write_file", { path: "b.txt", content: "x" })).toMatchObject({
      effect: "ask",
    });
    expect(await runtime.call("no_such_tool")).toMatchObject({
      ok: false,
      error: { code: "TOOL_NOT_FOUND" },
    });
    expect(await runtime.call("read_file", { path: 1n })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
  });

  it("FP5 many simultaneous calls under one signal warn of no leak, and stop with the signal", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" }, { slots: 16 });
    const runtime = await served.connect();
    const warnings: string[] = [];
    const hear = ({ name }: Error) => warnings.push(name);
    process.on("warning", hear);
    const stop = new AbortController();
    const many = (signal?: AbortSignal) =>
      Promise.all(
        Array.from({ length: 16 }, () =>
          runtime.call("read_file", { path: "a.txt" }, signal === undefined ? {} : { signal }),
        ),
      );
    try {
      const read = [...(await many()), ...(await many(stop.signal))];
      expect(read.every(({ ok }) => ok)).toBe(true);
      stop.abort();
      for (const result of await many(stop.signal)) expect(result).toMatchObject({ ok: false });
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off("warning", hear);
    }
    expect(warnings).toEqual([]);
  });

  it("S6 a call waits for approval without a slot, and anyone with the right can approve it", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" }, { slots: 1 });
    const runtime = await served.connect();
    const events: ToolEvent["type"][] = [];
    runtime.watch(({ type }) => events.push(type));
    const written = runtime.call(WriteFile, { path: "b.txt", content: "new\n" }, { callId: "c1" });
    const [approval] = await until(async () => {
      const pending = await pendingApprovals(served.store, "acme");
      return pending.length > 0 && pending;
    });
    expect(approval).toMatchObject({
      workspace: "ws",
      request: { tool: "write_file", changes: [{ path: "b.txt" }] },
    });
    // The only slot is free during the prompt.
    expect(await runtime.call("read_file", { path: "a.txt" })).toMatchObject({ ok: true });
    const approvalId = approval?.request.stepId ?? "";
    await expect(runtime.decide(approvalId, { approved: true })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    await decideApproval(served.store, ANN, { approvalId, answer: { approved: true } });
    expect(await written).toMatchObject({
      ok: true,
      callId: "c1",
      changes: [{ kind: "create", path: "b.txt" }],
    });
    expect(served.read("b.txt")).toBe("new\n");
    expect(events.filter((type) => type === "approval-requested")).toHaveLength(1);
    expect(events.at(-1)).not.toBe("requested");
    const audit = (await served.store.audit("acme").list()).filter(isDecision);
    expect(audit).toMatchObject([
      {
        callId: "c1",
        principal: "bot",
        workspace: "ws",
        verdict: "allow",
        decider: { how: "person", who: "ann" },
      },
    ]);
  });

  it("FE16 a denial is final and reported with its feedback", async () => {
    await using served = await ServedWorkspaces.open({});
    const runtime = await served.connect({
      principal: ANN,
      approver: async () => ({ approved: false, feedback: "not on a Friday" }),
    });
    const result = await runtime.call("write_file", { path: "b.txt", content: "new" }, { callId: "c1" });
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(result.text).toContain("not on a Friday");
    expect(await runtime.call("write_file", { path: "b.txt", content: "new" }, { callId: "c1" })).toEqual(
      result,
    );
  });

  it("S1 a client that reconnects gets the result of its earlier call", async () => {
    await using served = await ServedWorkspaces.open({});
    const log = `${served.root}/log`;
    const call = (runtime: Awaited<ReturnType<typeof served.connect>>) =>
      runtime.call("appends", { log, line: "once", after_ms: 200 }, { callId: "c1" });
    const first = await served.connect();
    const lost = call(first);
    await until(async () => (await served.store.calls.find({ tenant: "acme", callIds: ["c1"] })).length > 0);
    await first.dispose();
    expect(await lost).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    const second = await served.connect();
    const results = await Promise.all([call(second), call(second), call(await served.connect())]);
    for (const result of results) expect(result).toMatchObject({ ok: true, value: { line: "once" } });
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(log, "utf8")).toBe("once\n");
    expect(await second.call("appends", { log, line: "other" }, { callId: "c1" })).toMatchObject({
      error: { code: "CALL_ID_CONFLICT" },
    });
  });

  it("S1 the result of a call is for its own workspace, which others cannot cancel", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" });
    mkdirSync(join(served.root, "other"));
    const runtime = await served.connect({ principal: ANN });
    const made = await runtime.call("read_file", { path: "a.txt" }, { callId: "read" });
    const waits = runtime.call("write_file", { path: "b.txt", content: "x" }, { callId: "waits" });
    await until(async () => (await runtime.pending()).length > 0);
    const eve = await served.connect({ workspace: "other", principal: { tenant: "acme", id: "eve" } });
    expect(await eve.resultOf("read")).toBeUndefined();
    expect(await eve.resultOf("waits", AbortSignal.abort())).toBeUndefined();
    const bob = await served.connect({ principal: { tenant: "acme", id: "bob" } });
    expect(await bob.resultOf("read")).toEqual(made);
    const [approval] = await runtime.pending();
    await runtime.decide(approval?.request.stepId ?? "", { approved: true });
    expect(await waits).toMatchObject({ ok: true });
  });

  it("S7 an approval does not hold for files that changed since", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" });
    const runtime = await served.connect({ principal: ANN });
    await runtime.call("read_file", { path: "a.txt" });
    const edited = runtime.call("edit", { path: "a.txt", old_string: "alpha", new_string: "beta" });
    const [approval] = await until(async () => {
      const pending = await runtime.pending();
      return pending.length > 0 && pending;
    });
    served.write("a.txt", "alpha, changed\n");
    await runtime.decide(approval?.request.stepId ?? "", { approved: true });
    expect(await edited).toMatchObject({ ok: false, error: { code: "PLAN_STALE" } });
    expect(served.read("a.txt")).toBe("alpha, changed\n");
  });

  it("FP5 modified arguments are judged again, and session memory survives another runtime", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" });
    const reader = await served.connect({ session: "s1", principal: ANN });
    await reader.call("read_file", { path: "a.txt" });
    const approver = async () => ({ approved: true, modifiedArgs: { path: "a.txt", content: "mended\n" } });
    const writer = await served.connect({ session: "s1", principal: ANN, approver });
    const result = await writer.call("write_file", { path: "a.txt", content: "broken\n" });
    expect(result).toMatchObject({ ok: true });
    expect(served.read("a.txt")).toBe("mended\n");
    const stranger = await served.connect({ session: "s2", principal: ANN, approver });
    expect(await stranger.call("write_file", { path: "a.txt", content: "unread\n" })).toMatchObject({
      error: { code: "FILE_NOT_READ" },
    });
  });

  it("S9 cancels a call that waits for approval at once, and a running one when it has stopped", async () => {
    await using served = await ServedWorkspaces.open({});
    const runtime = await served.connect();
    const waits = new AbortController();
    const waiting = runtime.call("write_file", { path: "b.txt", content: "x" }, { signal: waits.signal });
    await until(async () => (await runtime.pending()).length > 0);
    waits.abort();
    expect(await waiting).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    const runs = new AbortController();
    const log = `${served.root}/log`;
    const running = runtime.call(
      "appends",
      { log, line: "x", after_ms: 60_000 },
      { callId: "r", signal: runs.signal },
    );
    await until(
      async () => (await served.store.calls.find({ tenant: "acme", callIds: ["r"] }))[0]?.state === "running",
    );
    runs.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
  });

  it("FP5 a workspace without a worker is reported with the command that starts one", async () => {
    await using served = await ServedWorkspaces.open({});
    await expect(served.connect({ workspace: "nope", connectMs: 0 })).rejects.toMatchObject({
      code: "WORKSPACE_UNAVAILABLE",
      hint: expect.stringContaining("haft worker"),
    });
    await expect(
      served.connect({ principal: { ...BOT, tenant: "other" }, connectMs: 0 }),
    ).rejects.toMatchObject({
      code: "WORKSPACE_UNAVAILABLE",
    });
  });

  it("FP5 a call that no worker takes fails at its deadline, also if another process makes it again", async () => {
    await using served = await ServedWorkspaces.open({});
    const first = await served.connect({ maxQueuedMs: 300, session: "s1" });
    const patient = await served.connect();
    await served.worker.drain();
    const waiting = patient.call("read_file", { path: "a.txt" }, { callId: "patient" });
    const late = first.call("read_file", { path: "a.txt" }, { callId: "late" });
    // Gone before the deadline: another process makes the call again.
    const both = { tenant: "acme", callIds: ["patient", "late"] };
    await until(async () => (await served.store.calls.find(both)).length === 2);
    await first.dispose();
    expect(await late).toMatchObject({ ok: false });
    const second = await served.connect({ maxQueuedMs: 300, session: "s1" });
    expect(await second.call("read_file", { path: "a.txt" }, { callId: "late" })).toMatchObject({
      ok: false,
      error: { code: "WORKSPACE_UNAVAILABLE" },
    });
    expect(await served.store.calls.list({ tenant: "acme" })).toMatchObject([{ callId: "patient" }]);
    served.write("a.txt", "a");
    await served.work();
    expect(await waiting).toMatchObject({ ok: true });
  });

  it("FP5 a workspace that was replaced by another folder of the same name is served in its new state", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "old\n" });
    const runtime = await served.connect({ principal: ANN, approver: async () => ({ approved: true }) });
    expect(await runtime.call("read_file", { path: "a.txt" })).toMatchObject({ text: "1: old" });
    renameSync(served.path(""), join(served.root, ".former"));
    served.write("a.txt", "new\n");
    expect(await runtime.call("read_file", { path: "a.txt" })).toMatchObject({ text: "1: new" });
    const written = await runtime.call("write_file", { path: "a.txt", content: "newer\n" });
    expect(written).toMatchObject({ ok: true });
    expect(served.read("a.txt")).toBe("newer\n");
  });

  it("FP5 draining gives idle workspaces away at once, and takes no others", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" });
    mkdirSync(join(served.root, "idle"));
    writeFileSync(join(served.root, "idle/a.txt"), "idle\n");
    const idle = await served.connect({ workspace: "idle" });
    const runtime = await served.connect();
    const log = `${served.root}/log`;
    const runs = new AbortController();
    const running = runtime.call(
      "appends",
      { log, line: "x", after_ms: 60_000 },
      { callId: "long", signal: runs.signal },
    );
    await until(
      async () =>
        (await served.store.calls.find({ tenant: "acme", callIds: ["long"] }))[0]?.state === "running",
    );
    const drained = served.worker.drain();
    await served.work();
    mkdirSync(join(served.root, "later"));
    const later = await served.connect({ workspace: "later" });
    expect(await idle.call("read_file", { path: "a.txt" })).toMatchObject({ text: "1: idle" });
    expect(await later.call("read_file", { path: "a.txt" })).toMatchObject({
      error: { code: "FILE_NOT_FOUND" },
    });
    runs.abort();
    expect(await running).toMatchObject({ error: { code: "CANCELLED" } });
    await drained;
    expect(await runtime.call("read_file", { path: "a.txt" })).toMatchObject({ text: "1: alpha" });
  });

  it("FP5 draining finishes running calls, and the next worker continues at once", async () => {
    await using served = await ServedWorkspaces.open({ "a.txt": "alpha\n" });
    const runtime = await served.connect();
    const log = `${served.root}/log`;
    const running = runtime.call("appends", { log, line: "x", after_ms: 100 }, { callId: "r" });
    await until(
      async () => (await served.store.calls.find({ tenant: "acme", callIds: ["r"] }))[0]?.state === "running",
    );
    await served.worker.drain();
    expect(await running).toMatchObject({ ok: true });
    const queued = runtime.call("read_file", { path: "a.txt" });
    await served.work();
    expect(await queued).toMatchObject({ ok: true });
    expect(await served.store.calls.workspace({ tenant: "acme", workspace: "ws" })).toMatchObject({
      epoch: 2,
    });
  });
});
