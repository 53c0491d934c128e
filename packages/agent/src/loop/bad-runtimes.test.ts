import { defineTool, s } from "@haft/core";
import { createTestRuntime, MemoryWorkspace } from "@haft/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { countedTools } from "../../test-support/tools.js";
import { type AgentRuntime, type ModelClient, memoryJournal, type RunJournal, startRun } from "../index.js";

afterEach(() => {
  vi.useRealTimers();
});

const model: ModelClient = {
  stream: async function* ({ messages }) {
    const isAnswered = messages.some(({ role }) => role === "tool");
    if (isAnswered) yield { type: "text", delta: "Done." };
    else yield { type: "call", index: 0, id: "c", name: "act", args: '{"what":"x"}' };
    yield { type: "finish", reason: "stop" };
  },
};

function withCall(call: AgentRuntime["call"]): AgentRuntime {
  const { tools } = countedTools();
  return { ...createTestRuntime({ tools }), call };
}

const settled = (run: { readonly log: readonly object[] }) =>
  run.log.filter((event) => "type" in event && event.type === "call.settled");

describe("a runtime that breaks its contract", () => {
  it("a call rejects: the model is told, and the run continues", async () => {
    const runtime = withCall(() => Promise.reject(new Error("broken")));
    const run = startRun({ runtime, model, task: "Go." });
    expect(await run.done).toMatchObject({ reason: "end_turn" });
    expect(settled(run)).toMatchObject([{ outcome: "error", code: "EXECUTION_ERROR" }]);
  });

  it("a call never settles, even after an abort: its outcome is unknown, and the run ends", async () => {
    vi.useFakeTimers();
    const runtime = withCall(() => new Promise(() => {}));
    const run = startRun({ runtime, model, task: "Go." });
    await vi.advanceTimersByTimeAsync(10);
    expect(run.state.status).toBe("acting");
    run.cancel();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await run.done).toMatchObject({ reason: "cancelled" });
    expect(settled(run)).toMatchObject([{ outcome: "unknown" }]);
  });

  it("S14 a call takes longer than the run may: the deadline stops it", async () => {
    vi.useFakeTimers();
    const runtime = withCall(() => new Promise(() => {}));
    const run = startRun({ runtime, model, task: "Go.", limits: { activeMs: 60_000 } });
    await vi.advanceTimersByTimeAsync(80_000);
    expect(await run.done).toMatchObject({ reason: "deadline" });
    expect(run.log.find((event) => event.type === "run.cancelled")).toMatchObject({ by: "clock" });
  });

  it("a model throws an unusual value: it is reported once", async () => {
    const odd: ModelClient = {
      stream: async function* () {
        yield { type: "text", delta: "a" };
        throw new RangeError("odd");
      },
    };
    const run = startRun({ runtime: withCall(() => Promise.reject()), model: odd, task: "Go." });
    expect(await run.done).toMatchObject({
      reason: "error",
      error: { code: "MODEL_FAILED", message: "odd" },
    });
    expect(run.log.filter(({ type }) => type === "step.failed")).toHaveLength(1);
  });

  it("a model never stops writing: an error names the cause", async () => {
    const endless: ModelClient = {
      stream: async function* () {
        for (;;) yield { type: "text", delta: "x".repeat(1_000_000) };
      },
    };
    const run = startRun({ runtime: withCall(() => Promise.reject()), model: endless, task: "Go." });
    expect(await run.done).toMatchObject({ reason: "error", error: { code: "MODEL_OUTPUT_TOO_LARGE" } });
  });

  it("S5 a call whose start cannot be journalled has no effect", async () => {
    const kept = memoryJournal();
    const journal: RunJournal = {
      ...kept,
      append(event, options) {
        if (event.type === "call.started") throw new Error("no space left");
        void kept.append(event, options);
      },
    };
    const workspace = new MemoryWorkspace();
    const runtime = createTestRuntime({ tools: [WriteNote], workspace });
    const writer: ModelClient = {
      stream: async function* () {
        yield { type: "call", index: 0, id: "c", name: "write_note", args: "{}" };
        yield { type: "finish", reason: "tool_calls" };
      },
    };
    const run = startRun({ runtime, model: writer, task: "Go.", journal });
    expect(await run.done).toMatchObject({ reason: "error" });
    // Nothing is running any more by then.
    expect(await workspace.exists("note.txt")).toBe(false);
  });
});

const WriteNote = defineTool({
  name: "write_note",
  summary: "Write a note.",
  category: "write",
  permissions: ["CreateFiles"],
  approval: "auto",
  input: s.object({}),
  output: s.object({}),
  async run(_args, { workspace }) {
    await workspace.createText("note.txt", "hi");
    return {};
  },
});
