import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, redactStrings, s, type ToolEvent } from "../index.js";

const Put = defineTool({
  name: "put",
  summary: "Write a file.",
  category: "write",
  permissions: ["WriteFiles", "CreateFiles"],
  input: s.object({ path: s.path("File"), content: s.string("Text") }),
  output: s.object({}),
  run: async ({ path, content }, { workspace, report }) => {
    report({ message: `writing ${content}`, done: 1, total: 2 });
    await workspace.writeText(path, content);
    return {};
  },
});

const Look = defineTool({
  name: "look",
  summary: "Look.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({ late: s.boolean("Report late", { default: false }) }),
  output: s.object({}),
  run: async ({ late }, { report, warn }) => {
    report({ message: "looking" });
    if (late)
      setTimeout(() => {
        report({ message: "too late" });
        warn("too late");
      }, 5);
    return {};
  },
});

const types = (events: readonly ToolEvent[]) => events.map(({ type }) => type);

describe("S4.004 the events of a call", () => {
  it("S4.004.c are ordered and numbered without a gap", async () => {
    const runtime = createTestRuntime({ tools: [Put], approver: scriptedApprover(true) });
    await runtime.call("put", { path: "a.txt", content: "a" }, { callId: "one" });
    await runtime.call("put", { path: "a.txt", content: "b" }, { callId: "two" });
    const mainline = [
      "requested",
      "approval-requested",
      "approval-answered",
      "started",
      "file-changed",
      "finished",
    ];
    const first = runtime.events.filter(({ callId }) => callId === "one");
    expect(types(first).filter((type) => type !== "progress")).toEqual(mainline);
    expect(types(first).filter((type) => type === "progress")).toHaveLength(1);
    expect(runtime.events.map(({ seq }) => seq)).toEqual(runtime.events.map((_, index) => index + 1));
    expect(runtime.events.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
    const changed = runtime.events.find((event) => event.type === "file-changed");
    expect(changed).toMatchObject({ change: { kind: "create", path: "a.txt" }, tool: "put" });
  });

  it("S4.004.a/b a read: requested, started, progress, finished", async () => {
    const runtime = createTestRuntime({ tools: [Look] });
    await runtime.call("look", {});
    expect(types(runtime.events)).toEqual(["requested", "started", "progress", "finished"]);
    expect(runtime.events[1]).toMatchObject({ args: { late: false } });
    expect(runtime.events[3]).toMatchObject({ result: { ok: true } });
  });

  it("a refused call never starts", async () => {
    const runtime = createTestRuntime({ tools: [Put, Look], approver: scriptedApprover(false) });
    await runtime.call("put", { path: "a.txt", content: "a" });
    expect(types(runtime.events)).not.toContain("started");
    expect(types(runtime.events)).not.toContain("file-changed");
    const before = runtime.events.length;
    await runtime.call("nothing", {});
    await runtime.call("look", { wrong: 1 });
    expect(types(runtime.events.slice(before))).toEqual(["requested", "finished", "requested", "finished"]);
  });

  it("a dry run starts but changes nothing", async () => {
    const runtime = createTestRuntime({ tools: [Put] });
    await runtime.call("put", { path: "a.txt", content: "a" }, { dryRun: true });
    expect(types(runtime.events)).not.toContain("file-changed");
    expect(types(runtime.events)).toContain("started");
  });

  it("finished is the last event, even if the tool is still running", async () => {
    const runtime = createTestRuntime({ tools: [Look] });
    const result = await runtime.call("look", { late: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(types(runtime.events).at(-1)).toBe("finished");
    expect(result.warnings).toEqual([]);
  });

  it("a listener that throws affects no other, and a removed listener receives nothing", async () => {
    const runtime = createTestRuntime({ tools: [Look] });
    const heard: string[] = [];
    runtime.watch(() => {
      throw new Error("broken listener");
    });
    const leave = runtime.watch(({ type }) => heard.push(type));
    expect((await runtime.call("look", {})).ok).toBe(true);
    leave();
    await runtime.call("look", {});
    expect(heard).toEqual(["requested", "started", "progress", "finished"]);
  });

  it("FR8 contains a listener that throws or rejects, and reports its error", async () => {
    const runtime = createTestRuntime({ tools: [Look] });
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const reported: string[] = [];
    const onError = (error: unknown) => reported.push(String(error));
    runtime.watch(async ({ type }) => {
      if (type === "started") throw new Error("rejected");
    }, onError);
    runtime.watch(({ type }) => {
      if (type === "finished") throw new Error("thrown");
    }, onError);
    runtime.watch(() => Promise.reject(new Error("nobody is told")));
    runtime.watch(
      () => Promise.reject(new Error("twice")),
      () => {
        throw new Error("the handler fails as well");
      },
    );
    expect((await runtime.call("look", {})).ok).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    expect([unhandled, reported.sort()]).toEqual([[], ["Error: rejected", "Error: thrown"]]);
  });

  it("events that a listener causes follow the event that it handles", async () => {
    const runtime = createTestRuntime({ tools: [Look] });
    const seqs: number[] = [];
    const inner: Promise<unknown>[] = [];
    runtime.watch(({ type, callId }) => {
      if (type === "requested" && callId === "outer") inner.push(runtime.call("look", {}));
    });
    runtime.watch(({ seq }) => seqs.push(seq));
    await runtime.call("look", {}, { callId: "outer" });
    await Promise.all(inner);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(seqs).toHaveLength(8);
  });

  it("a listener cannot change the call and sees no secrets", async () => {
    const redact = redactStrings((text) => text.replaceAll("hunter2", "[secret]"));
    const approver = scriptedApprover({
      approved: true,
      modifiedArgs: { path: "b.txt", content: "hunter2!" },
    });
    const runtime = createTestRuntime({ tools: [Put], approver, redact });
    runtime.watch((event) => {
      if (event.type === "requested") (event.args as { path: string }).path = "evil.txt";
    });
    await runtime.call("put", { path: "a.txt", content: "hunter2" });
    expect(await runtime.workspaceFiles()).toEqual({ "b.txt": "hunter2!" });
    expect(JSON.stringify(runtime.events)).not.toContain("hunter2");
    expect(JSON.stringify(approver.requests)).not.toContain("hunter2");
  });
});
