import { describe, expect, it } from "vitest";
import { danglingCalls, openRun, runScript, types } from "../../test-support/scripted-run.js";
import { memoryJournal } from "../index.js";

describe("FU2 an ended run continues", () => {
  it("with a follow-up, and the model sees the whole conversation", async () => {
    const first = await runScript([{ text: "Which file?" }]);
    const journal = memoryJournal({ events: first.log });
    const { outcome, server, log } = await runScript([{ text: "Done." }], { journal, task: "a.txt" });
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Done.", runId: first.run.runId });
    expect(server.requests[0]?.messages.map(({ content }) => content).slice(1)).toEqual([
      "Do it.",
      "Which file?",
      "a.txt",
    ]);
    expect(types(log).slice(first.log.length)).toEqual([
      "run.reopened",
      "message.user",
      "step.ended",
      "run.ended",
    ]);
  });

  it("FU5 a note reaches the model above the message, and the message stays unchanged", async () => {
    const { server, log } = await runScript([{ text: "Done." }], { task: "a.txt", note: "Plan only." });
    expect(server.requests[0]?.messages.at(-1)?.content).toBe("Plan only.\n\na.txt");
    expect(log.find(({ type }) => type === "message.user")).toMatchObject({
      text: "a.txt",
      note: "Plan only.",
    });
  });

  it("after it ran out of steps, with a new step count", async () => {
    const call = (n: number) => ({ calls: [{ name: "look", args: { path: "a.txt", n } }] });
    const script = [call(1), call(2), { text: "Out of steps." }];
    const first = await runScript(script, { limits: { maxSteps: 2 } });
    expect(first.outcome.reason).toBe("max_steps");
    const journal = memoryJournal({ events: first.log });
    const { outcome, server } = await runScript([call(3), { text: "Now." }], { journal, task: "Go on." });
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Now." });
    for (const { messages } of server.requests) expect(danglingCalls(messages)).toEqual([]);
  });

  it("after it was interrupted, failed or cancelled", async () => {
    const failed = await runScript([{ fail: 400 }]);
    expect(failed.outcome.reason).toBe("error");
    const { run, server } = await openRun([{ text: "Later.", delayMs: 5_000 }]);
    setTimeout(() => run.cancel(), 20);
    expect((await run.done).reason).toBe("cancelled");
    await server.close();
    for (const log of [failed.log, run.log]) {
      const journal = memoryJournal({ events: log });
      const { outcome } = await runScript([{ text: "Here." }], { journal, task: "Again." });
      expect(outcome).toMatchObject({ reason: "end_turn", summary: "Here." });
    }
  });
});

describe("FU2 retrying a failing model for as long as the run allows", () => {
  it("retries beyond three attempts within retryMs", async () => {
    const script = [...Array.from({ length: 6 }, () => ({ fail: 503 })), { text: "Back." }];
    expect((await runScript(script)).outcome).toMatchObject({ reason: "error" });
    const { outcome, server } = await runScript(script, { limits: { retryMs: 60_000 } });
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Back." });
    expect(server.requests).toHaveLength(7);
  });

  it("gives up when that time is over", async () => {
    const { outcome, server } = await runScript(() => ({ fail: 503 }), { limits: { retryMs: 3_000 } });
    expect(outcome).toMatchObject({ reason: "error", error: { code: "MODEL_FAILED" } });
    expect(server.requests.length).toBeGreaterThan(3);
  });
});

describe("FU2 a full context is compacted", () => {
  const full = { fail: 400, message: "This model's maximum context length is 8 tokens" };
  const look = (n: number) => ({ calls: [{ name: "look", args: { path: "a.txt", n } }] });

  it("clears old results first, then asks the model for a summary", async () => {
    const { outcome, server, log } = await runScript([
      look(1),
      look(2),
      full,
      full,
      { text: "SUMMARY: looked twice at a.txt." },
      { text: "Done." },
    ]);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Done." });
    expect(log.flatMap((event) => (event.type === "context.compacted" ? [event] : []))).toMatchObject([
      { cleared: [expect.stringContaining(":1:0")] },
      { cleared: [], summary: "SUMMARY: looked twice at a.txt." },
    ]);
    const last = server.requests.at(-1)?.messages ?? [];
    expect(last.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(last.at(-1)?.content).toContain("SUMMARY: looked twice");
    for (const { messages } of server.requests) expect(danglingCalls(messages)).toEqual([]);
  });

  it("keeps the user's words if the model cannot summarize, and reports a run that stays full", async () => {
    const { outcome, log } = await runScript(() => full);
    expect(outcome).toMatchObject({ reason: "error", error: { code: "CONTEXT_FULL" } });
    expect(log).toContainEqual(
      expect.objectContaining({ type: "context.compacted", summary: "The user said: Do it." }),
    );
  });

  it("compacts before it is full if the window size is known, and on request", async () => {
    const { log } = await runScript(
      [{ ...look(1), inputTokens: 900 }, look(2), { text: "Sum." }, { text: "Done." }],
      {
        limits: { contextTokens: 1_000 },
      },
    );
    expect(types(log)).toContain("context.compacted");
    const first = await runScript([{ text: "Hi." }]);
    const { run, server } = await openRun([{ text: "Sum." }, { text: "Done." }], {
      journal: memoryJournal({ events: first.log }),
      task: "Next.",
    });
    run.compact();
    expect(await run.done).toMatchObject({ summary: "Done." });
    await server.close();
    expect(server.requests[1]?.messages.map(({ content }) => content)).toEqual([
      "You test.",
      expect.stringContaining("Sum."),
      "Next.",
    ]);
  });
});
