import { ToolError, type ToolResult } from "@haft/core";
import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { normalised, openRun, runScript, type ScriptedRunOptions } from "../../test-support/scripted-run.js";
import { countedTools } from "../../test-support/tools.js";
import { type DurableEvent, memoryJournal, startRun } from "../index.js";
import { openAiModel } from "../openai/index.js";
import { startScriptedModel } from "../scripted-model/node/index.js";

const call = (name: string, args: object) => ({ calls: [{ name, args }] });

/** Returns the log of a run whose process died right after the first event of a type. */
async function diedAfter(
  type: DurableEvent["type"],
  turn: object,
  setting: ScriptedRunOptions = {},
): Promise<readonly DurableEvent[]> {
  const { log } = await runScript([turn, { text: "Done." }], setting);
  return log.slice(0, log.findIndex((event) => event.type === type) + 1);
}

async function takeUp(
  events: readonly DurableEvent[],
  recovery: { resultOf?(): Promise<ToolResult | undefined> } = {},
) {
  const { tools, done } = countedTools();
  const runtime = createTestRuntime({ tools, files: { "a.txt": "alpha", "b.txt": "beta" } });
  await using server = await startScriptedModel([{ text: "Taken up." }]);
  const model = openAiModel({ baseUrl: server.url, model: "scripted" });
  const run = startRun({
    runtime: Object.assign(runtime, recovery),
    model,
    system: "You test.",
    journal: memoryJournal({ events }),
  });
  const outcome = await run.done;
  const settled = run.log.flatMap((event) => (event.type === "call.settled" ? [event] : []));
  return { run, outcome, done, settled, requests: server.requests };
}

describe("S2 S3 calls that had started when their process died", () => {
  it("S2 is not made again when it may not be repeated: unknown, and the model is told to check", async () => {
    const events = await diedAfter("call.started", call("act", { what: "once" }));
    const { outcome, done, settled, requests, run } = await takeUp(events);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Taken up." });
    expect(done).toEqual([]);
    expect(settled).toMatchObject([{ outcome: "unknown", code: "UNKNOWN_OUTCOME" }]);
    expect(JSON.stringify(requests[0]?.messages)).toContain("Check its effects before you repeat it");
    expect(normalised(run.log)).toMatchSnapshot();
  });

  it("S2 its result is read again when the store was away", async () => {
    const events = await diedAfter("call.started", call("act", { what: "once" }));
    const runtime = createTestRuntime({ tools: countedTools().tools });
    const result = await runtime.call("act", { what: "elsewhere" });
    let outages = 1;
    const { settled } = await takeUp(events, {
      resultOf: async () => {
        outages -= 1;
        if (outages >= 0) throw new ToolError("STORE_UNAVAILABLE", "The database did not answer");
        return result;
      },
    });
    expect(settled).toMatchObject([{ outcome: "ok" }]);
  });

  it("S2 the model is told why its result could not be read", async () => {
    const events = await diedAfter("call.started", call("act", { what: "once" }));
    const { settled } = await takeUp(events, {
      resultOf: () => Promise.reject(new ToolError("UNKNOWN_OUTCOME", "The store no longer has it")),
    });
    expect(settled).toMatchObject([
      { outcome: "unknown", model: [{ text: expect.stringContaining("The store no longer has it") }] },
    ]);
  });

  it("S3 runs again if it may be repeated, with the attempt recorded, at most twice", async () => {
    let events = await diedAfter("call.started", call("look", { path: "a.txt" }));
    const { settled, run, done } = await takeUp(events);
    expect(settled).toMatchObject([{ outcome: "ok", model: [{ text: "alpha" }] }]);
    expect(done).toEqual(["look a.txt"]);
    const started = run.log.filter((event) => event.type === "call.started");
    expect(started).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    const base = events.at(-1) as DurableEvent;
    for (const attempt of [2, 3]) {
      const seq = events.length + 1;
      events = [
        ...events,
        { ...base, seq, type: "run.resumed" } as DurableEvent,
        { ...base, seq: seq + 1, attempt } as DurableEvent,
      ];
    }
    const given = await takeUp(events);
    expect(given.settled).toMatchObject([{ outcome: "unknown" }]);
    expect(given.done).toEqual([]);
  });

  it("a rejected call does not prompt again: it is denied with the person's feedback", async () => {
    const turn = call("put", { path: "a.txt", text: "new" });
    const approver = scriptedApprover({ approved: false, feedback: "hands\u202e off" });
    const { settled, run } = await takeUp(await diedAfter("approval.decided", turn, { approver }));
    expect(settled).toMatchObject([{ outcome: "denied", code: "APPROVAL_DENIED" }]);
    expect(settled[0]?.model).toMatchObject([{ text: expect.stringContaining("hands\\u202e off") }]);
    expect(run.log.filter(({ type }) => type === "approval.requested")).toHaveLength(1);
  });

  it("runs calls that had not started, does not repeat settled ones, and keeps the order", async () => {
    const events = await diedAfter("step.ended", {
      calls: [
        { name: "look", args: { path: "a.txt" } },
        { name: "act", args: { what: "later" } },
      ],
    });
    const first = await takeUp(events);
    expect(first.done).toContain("begin later");
    const firstSettled = first.run.log.findIndex((event) => event.type === "call.settled");
    const second = await takeUp(first.run.log.slice(0, firstSettled + 1));
    const outcomes = Object.fromEntries(
      second.settled.map(({ callId, outcome }) => [callId.slice(-1), outcome]),
    );
    expect(Object.keys(outcomes).sort()).toEqual(["0", "1"]);
    const tools = second.requests[0]?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(tools.map(({ tool_call_id }) => tool_call_id)).toEqual(["call_1_0", "call_1_1"]);
  });

  it("a run that was cancelled when it died ends, and its started calls are unknown, not cancelled", async () => {
    const events = await diedAfter("call.started", call("act", { what: "once" }));
    const last = events.at(-1) as DurableEvent;
    const cancelled = { ...last, seq: last.seq + 1, type: "run.cancelled", by: "x", why: "cancelled" };
    const { outcome, settled, requests } = await takeUp([...events, cancelled as DurableEvent]);
    expect(outcome.reason).toBe("cancelled");
    expect(settled).toMatchObject([{ outcome: "unknown" }]);
    expect(requests).toEqual([]);
  });

  it("earlier failed turns do not count, nor does the time between the processes", async () => {
    const { log } = await runScript([{ fail: 500 }, { fail: 500 }, { text: "Done." }]);
    const upTo = log.findLastIndex((event) => event.type === "step.failed") + 1;
    const old = log.slice(0, upTo).map((event) => ({ ...event, at: "2020-01-01T00:00:00.000Z" }));
    const { outcome, run } = await takeUp(old);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Taken up." });
    expect(run.state.activeMs).toBeLessThan(60_000);
  });
});

describe("a run needs a task", () => {
  it("refuses a new run without a task and releases its journal", () => {
    const { tools } = countedTools();
    let isClosed = false;
    const journal = {
      ...memoryJournal(),
      close: () => {
        isClosed = true;
      },
    };
    const model = { stream: () => (async function* () {})() };
    expect(() => startRun({ runtime: createTestRuntime({ tools }), model, journal })).toThrow("has no task");
    expect(isClosed).toBe(true);
  });
});

describe("S4.004 a screen can be derived from the events alone", () => {
  it("S4.004.a/b/c name and arguments when a call starts, its outcome, everything in order, and the summary", async () => {
    const { run, server } = await openRun([
      { calls: [{ name: "look", args: { path: "a.txt" } }] },
      { calls: [{ name: "look", args: { path: "missing.txt" } }] },
      { text: "One was there." },
    ]);
    const screen: string[] = [];
    const names = new Map<string, string>();
    for await (const event of run.events()) {
      if (event.type === "step.ended")
        for (const { callId, tool, args } of event.calls)
          names.set(callId, `${tool} ${JSON.stringify(args)}`);
      if (event.type === "call.started") screen.push(`… ${names.get(event.callId)}`);
      if (event.type === "call.settled")
        screen.push(`${event.outcome === "ok" ? "✓" : "✗"} ${event.code ?? ""}${names.get(event.callId)}`);
      if (event.type === "run.ended") screen.push(event.summary);
    }
    await server.close();
    expect(screen).toEqual([
      '… look {"path":"a.txt"}',
      '✓ look {"path":"a.txt"}',
      '… look {"path":"missing.txt"}',
      '✗ FILE_NOT_FOUNDlook {"path":"missing.txt"}',
      "One was there.",
    ]);
  });

  it("waits as long as the server requested", async () => {
    const { log } = await runScript([{ fail: 429, retryAfter: "0.3" }, { text: "Done." }]);
    const failed = log.find((event) => event.type === "step.failed");
    const ended = log.find((event) => event.type === "step.ended");
    expect(failed).toMatchObject({ retryAfterMs: 300 });
    expect(Date.parse(ended?.at ?? "") - Date.parse(failed?.at ?? "")).toBeGreaterThanOrEqual(290);
  });
});
