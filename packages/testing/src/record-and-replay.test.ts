import { defineTool, s } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createTestRuntime, DriftError, recordCalls, replayCalls, scriptedApprover } from "./index.js";

const Note = defineTool({
  name: "note",
  summary: "Write a note.",
  permissions: ["WriteFiles", "CreateFiles", "ReadFiles"],
  input: s.object({ text: s.string("What to write") }),
  async run({ text }, { workspace }) {
    if (text === "") throw new Error("nothing to write");
    await workspace.createText("note.txt", text);
    return { length: text.length };
  },
});
const open = () => createTestRuntime({ tools: [Note], approver: scriptedApprover(true) });

async function recorded() {
  const { runtime, calls } = recordCalls(open());
  await runtime.call(Note, { text: "hello" });
  await runtime.call("note", { text: "" });
  return JSON.parse(JSON.stringify(calls));
}

describe("record and replay", () => {
  it("records every call with its effects", async () => {
    expect(await recorded()).toMatchObject([
      {
        tool: "note",
        args: { text: "hello" },
        result: { ok: true, changes: [{ kind: "create", path: "note.txt" }] },
      },
      { tool: "note", args: { text: "" }, result: { ok: false, error: { code: "EXECUTION_ERROR" } } },
    ]);
  });

  it("replays them without running a tool, prompting or touching a file", async () => {
    const approver = scriptedApprover([]);
    const inner = createTestRuntime({ tools: [Note], approver });
    const { runtime, assertComplete } = replayCalls(inner, await recorded());
    const result = await runtime.call(Note, { text: "hello" });
    expect(result).toMatchObject({ ok: true, value: { length: 5 }, changes: [{ path: "note.txt" }] });
    expect(assertComplete).toThrow("call 2 of 2 was not made: note");
    await runtime.call("note", { text: "" });
    assertComplete();
    expect(await inner.workspaceFiles()).toEqual({});
    expect(approver.requests).toEqual([]);
    expect(inner.events).toEqual([]);
  });

  it("fails with a diff if a call drifts, or if there is one more", async () => {
    const { runtime } = replayCalls(open(), await recorded());
    const drifted = runtime.call(Note, { text: "hallo" });
    await expect(drifted).rejects.toThrow(DriftError);
    await expect(drifted).rejects.toThrow(/-.*"hello"\n\+.*"hallo"/);
    await runtime.call("note", { text: "" });
    await expect(runtime.call("note", { text: "again" })).rejects.toThrow("call 3 was not recorded");
  });

  it("FP7 reports a drift at the end even if the agent caught its error", async () => {
    const { runtime, assertComplete } = replayCalls(open(), await recorded());
    await runtime.call(Note, { text: "hallo" }).catch(() => {});
    await runtime.call("note", { text: "" });
    expect(assertComplete).toThrow(/call 1 differs from the recording\n[\s\S]*-.*"hello"\n\+.*"hallo"/);
  });

  it("FP7 replays a call under the caller's id, and a dry run as a dry run", async () => {
    const recording = recordCalls(open());
    await recording.runtime.call(Note, { text: "hello" }, { callId: "toolu_1", dryRun: true });
    const again = replayCalls(open(), JSON.parse(JSON.stringify(recording.calls)));
    const replayed = await again.runtime.call(Note, { text: "hello" }, { callId: "toolu_2", dryRun: true });
    expect(replayed).toMatchObject({ ok: true, callId: "toolu_2", preview: true });
    again.assertComplete();
    const real = replayCalls(open(), recording.calls);
    await expect(real.runtime.call(Note, { text: "hello" })).rejects.toThrow("-dry run");
  });

  it("the role of a test runtime also holds permissions that only its tools declare", async () => {
    const Deploy = defineTool({
      name: "deploy",
      summary: "Deploy.",
      permissions: ["x-deploy"],
      input: s.object({}),
      run: async () => "done",
    });
    const runtime = createTestRuntime({ tools: [Deploy], approver: scriptedApprover(true) });
    expect(await runtime.call(Deploy, {})).toMatchObject({ ok: true, value: "done" });
  });
});
