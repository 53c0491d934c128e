import { describe, expect, it } from "vitest";
import { danglingCalls, runScript, types } from "../../test-support/scripted-run.js";
import type { ScriptedTurn } from "../scripted-model/node/index.js";

const cutOff = (args: string, before: ScriptedTurn["calls"] = []): ScriptedTurn => ({
  calls: [...before, { name: "act", args }],
  finish: "length",
});
const HALF = '{"what":"half of';

describe("FU2 a turn that reaches the output limit inside a call", () => {
  it("tells the model, does not execute the call, and continues", async () => {
    const { outcome, server, done, log } = await runScript([
      cutOff(HALF),
      { calls: [{ name: "act", args: { what: "small" } }] },
      { text: "Done." },
    ]);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Done.", steps: 3 });
    expect(done).toEqual(["begin small", "end small"]);
    expect(log.find((event) => event.type === "call.settled")).toMatchObject({
      outcome: "error",
      code: "OUTPUT_CUT_OFF",
      model: [
        { type: "text", text: expect.stringContaining("before the arguments of this call were complete") },
      ],
    });
    expect(types(log)).not.toContain("step.failed");
    for (const { messages } of server.requests) expect(danglingCalls(messages)).toEqual([]);
  });

  it("does not treat a call without arguments as complete", async () => {
    const { done, log } = await runScript([
      { calls: [{ name: "look", args: "" }], finish: "length" },
      { text: "Done." },
    ]);
    expect(done).toEqual([]);
    expect(log.find((event) => event.type === "call.settled")).toMatchObject({ code: "OUTPUT_CUT_OFF" });
  });

  it("executes the complete calls", async () => {
    const { done, log } = await runScript([
      cutOff(HALF, [{ name: "act", args: { what: "first" } }]),
      { text: "Done." },
    ]);
    expect(done).toEqual(["begin first", "end first"]);
    const codes = log.flatMap((event) => (event.type === "call.settled" ? [event.code ?? "ok"] : []));
    expect(codes.sort()).toEqual(["OUTPUT_CUT_OFF", "ok"]);
  });

  it("executes a call whose arguments were complete at the limit", async () => {
    const { done } = await runScript([cutOff('{"what":"whole"}'), { text: "Done." }]);
    expect(done).toEqual(["begin whole", "end whole"]);
  });

  it("stops after three turns in a row, and tells the closing turn why", async () => {
    const { outcome, server, done } = await runScript((body, n) =>
      body.tool_choice === "none" ? { text: "It is too long for me." } : cutOff(`{"what":"${n}`),
    );
    expect(outcome).toMatchObject({ reason: "output_limit", summary: "It is too long for me.", steps: 4 });
    expect(server.requests).toHaveLength(4);
    expect(server.requests.at(-1)?.messages.at(-1)?.content).toMatch(
      /^Three turns in a row reached your output limit/,
    );
    expect(done).toEqual([]);
  });
});

describe("FU2 a server with unusable answers", () => {
  it.each([
    ["nothing", {}, "EMPTY_ANSWER"],
    ["half of a JSON text", { raw: '{"choi', contentType: "application/json" }, "MALFORMED_ANSWER"],
  ])("answers with %s: asked three times, regardless of the retry time", async (_, turn, code) => {
    const { outcome, server } = await runScript(() => turn, { limits: { retryMs: 600_000 } });
    expect(outcome).toMatchObject({ reason: "error", error: { code } });
    expect(server.requests).toHaveLength(3);
  });

  it("is asked three times again after other failures", async () => {
    const turns = [{ fail: 503 }, { fail: 503 }, { fail: 503 }, {}, {}, { text: "Here." }];
    const { outcome } = await runScript(turns, { limits: { retryMs: 600_000 } });
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Here." });
  });
});

describe("FU2 tokens of failed turns", () => {
  it("count towards the token limit and are stored with the failure", async () => {
    const { log, outcome, run } = await runScript(
      [
        { inputTokens: 900 },
        { calls: [{ name: "look", args: { path: "a.txt" } }], inputTokens: 200 },
        { text: "Enough." },
      ],
      { limits: { maxTokens: 1000 } },
    );
    expect(log.find((event) => event.type === "step.failed")).toMatchObject({
      error: { code: "EMPTY_ANSWER" },
      usage: { inputTokens: 900, outputTokens: 10 },
    });
    expect(outcome.reason).toBe("max_tokens");
    expect(run.log).toBe(log);
  });

  it("count for a summary of the conversation too", async () => {
    const { log } = await runScript(
      (body, n) =>
        body.tools === undefined
          ? { text: "A summary.", inputTokens: 700 }
          : n === 1
            ? { calls: [{ name: "look", args: { path: "a.txt" } }], inputTokens: 950 }
            : { text: "Done." },
      { limits: { contextTokens: 1000 } },
    );
    expect(
      log.find((event) => event.type === "context.compacted" && event.summary !== undefined),
    ).toMatchObject({
      usage: { inputTokens: 700, outputTokens: 10 },
    });
  });
});
