import { describe, expect, it } from "vitest";
import { danglingCalls, runScript, types } from "../../test-support/scripted-run.js";
import { startRun } from "../index.js";
import { openAiModel } from "../openai/index.js";
import type { ScriptedTurn } from "../scripted-model/node/index.js";

const look = (path: string) => ({ name: "look", args: { path } });
const always = (turn: ScriptedTurn) => () => turn;

describe("a model that misbehaves: the run ends with a clear reason", () => {
  it("arguments that are not JSON: the model gets the error three turns in a row, then a last turn", async () => {
    const { outcome, server, log } = await runScript((body) =>
      body.tool_choice === "none" ? { text: "I cannot." } : { calls: [{ name: "look", args: '{"path' }] },
    );
    expect(outcome).toMatchObject({ reason: "invalid_args", summary: "I cannot.", steps: 4 });
    const results = server.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results).toHaveLength(3);
    expect(results[0]?.content).toContain("INVALID_ARGUMENTS");
    // The repeated message is valid JSON, whatever the model sent.
    for (const { tool_calls = [] } of server.requests.at(-1)?.messages ?? [])
      for (const call of tool_calls) expect(() => JSON.parse(call.function.arguments)).not.toThrow();
    expect(types(log)).not.toContain("call.started");
  });

  it("arguments nested 100,000 levels deep: the model gets the error, and the run continues", async () => {
    const args = `{"path":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const { outcome, server } = await runScript([{ calls: [{ name: "look", args }] }, { text: "Done." }]);
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "Done." });
    expect(server.requests[1]?.messages.at(-1)?.content).toMatch(/INVALID_ARGUMENTS.* levels deep/);
  });

  it("unknown tools: the nearest name is suggested, three turns in a row, then a last turn", async () => {
    const { outcome, server } = await runScript((body) =>
      body.tool_choice === "none" ? { text: "No." } : { calls: [{ name: "lokk", args: {} }] },
    );
    expect(outcome.reason).toBe("invalid_args");
    expect(JSON.stringify(server.requests[1]?.messages)).toContain("Did you mean look?");
  });

  it("ids that later turns repeat are distinct in the conversation, as some providers require", async () => {
    const turn = (path: string) => ({ calls: [{ ...look(path), id: "call_0" }] });
    const { server } = await runScript([turn("a.txt"), turn("b.txt"), turn("c.txt"), { text: "Done." }]);
    const messages = server.requests.at(-1)?.messages ?? [];
    const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    expect(ids[0]).toBe("call_0");
    expect(new Set(ids).size).toBe(3);
    expect(danglingCalls(messages)).toEqual([]);
    // Stable, so that providers can cache the conversation.
    expect(server.requests[2]?.messages).toEqual(messages.slice(0, server.requests[2]?.messages.length));
  });

  it("a valid turn after two invalid ones resets the count", async () => {
    const wrong = { calls: [{ name: "look", args: { pth: 1 } }] };
    const { outcome } = await runScript([
      wrong,
      wrong,
      { calls: [look("a.txt")] },
      wrong,
      { ...wrong, calls: [{ name: "look", args: { x: 2 } }] },
      { text: "Done." },
    ]);
    expect(outcome).toMatchObject({ reason: "end_turn", steps: 6 });
  });

  it("the same call with the same result: skipped from the fourth time, ends the run at the fifth", async () => {
    const { outcome, done, server, log } = await runScript((body) =>
      body.tool_choice === "none" ? { text: "Stuck." } : { calls: [look("a.txt")] },
    );
    expect(outcome).toMatchObject({ reason: "loop", summary: "Stuck." });
    expect(done).toEqual(["look a.txt", "look a.txt", "look a.txt"]);
    const codes = log.flatMap((event) => (event.type === "call.settled" ? [event.code ?? "ok"] : []));
    expect(codes).toEqual(["ok", "ok", "ok", "LOOP_DETECTED", "LOOP_DETECTED"]);
    for (const { messages } of server.requests) expect(danglingCalls(messages)).toEqual([]);
  });

  it("a cycle of several calls is a loop too", async () => {
    const { outcome, done } = await runScript((body, n) =>
      body.tool_choice === "none" ? { text: "Stuck." } : { calls: [look(n % 2 === 0 ? "a.txt" : "b.txt")] },
    );
    expect(outcome.reason).toBe("loop");
    expect(done).toHaveLength(6);
  });

  it("a cycle of calls within one turn is a loop, but a new call among them runs", async () => {
    const { outcome, done } = await runScript((body, n) => {
      if (body.tool_choice === "none") return { text: "Stuck." };
      const fresh = n === 5 ? [{ name: "act", args: { what: "new" } }] : [];
      return { calls: [look("a.txt"), look("a.txt"), look("b.txt"), ...fresh] };
    });
    expect(outcome.reason).toBe("loop");
    expect(done.filter((line) => line === "begin new")).toHaveLength(1);
    expect(done.filter((line) => line === "look b.txt").length).toBeLessThan(9);
  });

  it("polling with changing results is not a loop", async () => {
    const { outcome, done } = await runScript((_, n) =>
      n <= 8 ? { calls: [{ name: "act", args: { what: "poll" } }] } : { text: "Ready." },
    );
    expect(outcome.reason).toBe("end_turn");
    expect(done.filter((line) => line === "begin poll")).toHaveLength(8);
  });

  it("200 calls in one turn: all run, at most eight at a time, each with one result in order", async () => {
    const calls = Array.from({ length: 200 }, (_, index) => ({
      name: "act",
      args: { what: `${index}`, ms: 1 },
    }));
    let running = 0;
    let most = 0;
    const { outcome, server, done } = await runScript([{ calls }, { text: "All done." }], {
      onEvent: ({ type }) => {
        if (type === "call.started") running += 1;
        if (type === "call.settled") running -= 1;
        most = Math.max(most, running);
      },
    });
    expect(outcome).toMatchObject({ reason: "end_turn", summary: "All done." });
    expect(done.filter((line) => line.startsWith("end"))).toHaveLength(200);
    expect(most).toBeLessThanOrEqual(8);
    expect(danglingCalls(server.requests[1]?.messages ?? [])).toEqual([]);
    expect(server.requests[1]?.messages.filter(({ role }) => role === "tool")).toHaveLength(200);
  });

  it("200 equal calls in one turn are not a loop, and calls beyond 256 do not run", async () => {
    const calls = Array.from({ length: 300 }, () => look("a.txt"));
    const { outcome, done, log } = await runScript([{ calls }, { text: "Done." }]);
    expect(outcome.reason).toBe("end_turn");
    expect(done).toHaveLength(256);
    const refused = log.filter((event) => event.type === "call.settled" && event.code === "LIMIT_EXCEEDED");
    expect(refused).toHaveLength(44);
  });

  it("a stream cut in the middle of a call: nothing of it runs, and the turn is repeated", async () => {
    const turn = { text: "Let me see.", calls: [{ name: "act", args: { what: "once" } }] };
    const { outcome, done, log } = await runScript([{ ...turn, cut: 5 }, turn, { text: "Done." }]);
    expect(outcome.reason).toBe("end_turn");
    expect(done).toEqual(["begin once", "end once"]);
    expect(log.find((event) => event.type === "step.failed")).toMatchObject({
      error: { code: "STREAM_CUT" },
      retryable: true,
      attempt: 1,
    });
  });

  it("a stream that is cut every time: three attempts, then an error that names the cause", async () => {
    const { outcome, server, done, log } = await runScript(
      always({ calls: [{ name: "act", args: { what: "never" } }], cut: 2 }),
    );
    expect(outcome).toMatchObject({ reason: "error", error: { code: "STREAM_CUT" } });
    const failed = log.filter((event) => event.type === "step.failed");
    expect(failed.map(({ willRetry }) => willRetry)).toEqual([true, true, false]);
    expect(server.requests).toHaveLength(3);
    expect(done).toEqual([]);
  });

  it.each([
    ["a server that refuses", { fail: 401 }, 1, "MODEL_REFUSED"],
    ["a server that is overloaded", { fail: 429, retryAfter: 0 }, 3, "MODEL_OVERLOADED"],
    ["a server that fails", { fail: 500 }, 3, "MODEL_FAILED"],
    ["something that is no model's server", { raw: "<html>", contentType: "text/html" }, 1, "MODEL_PROTOCOL"],
    ["JSON that ends too early", { raw: '{"choi', contentType: "application/json" }, 3, "MALFORMED_ANSWER"],
    ["a stream that ends inside a message", { raw: 'data: {"choi' }, 3, "STREAM_CUT"],
    ["a stream of garbage", { raw: "data: \u0000\u001b[2J\n\ndata: {}\n\n" }, 3, "MALFORMED_ANSWER"],
    ["a server that wants to be left alone too long", { fail: 429, retryAfter: 9999 }, 1, "MODEL_OVERLOADED"],
    ["an answer that is cut off", { text: "It begins", finish: "length" }, 1, "OUTPUT_CUT_OFF"],
    ["thoughts alone, cut off", { reasoning: "Hm", finish: "length" }, 1, "OUTPUT_CUT_OFF"],
    ["an empty answer", {}, 3, "EMPTY_ANSWER"],
    ["an empty stream", { raw: "data: [DONE]\n\n" }, 3, "EMPTY_ANSWER"],
    ["white space alone", { text: " \n" }, 3, "EMPTY_ANSWER"],
    ["another kind of answer", { raw: "{}", contentType: "application/json" }, 1, "MODEL_PROTOCOL"],
    ["a stream with no end", { raw: "data: {}\n\n" }, 3, "STREAM_CUT"],
    ["an error in the stream", { raw: 'data: {"error":{"message":"out of memory"}}\n\n' }, 3, "MODEL_FAILED"],
    ["an answer that was withheld", { finish: "content_filter" }, 1, "CONTENT_FILTER"],
  ])("%s", async (_, turn, requests, code) => {
    const { outcome, server } = await runScript(always(turn));
    expect(outcome).toMatchObject({ reason: "error", error: { code } });
    expect(server.requests).toHaveLength(requests);
  });

  it("a missing server is reported", async () => {
    const { server, runtime } = await runScript([]);
    const model = openAiModel({ baseUrl: server.url, model: "gone" });
    const outcome = await startRun({ runtime, model, task: "Hello?", retryDelayMs: 1 }).done;
    expect(outcome).toMatchObject({ reason: "error", error: { code: "MODEL_UNREACHABLE" }, steps: 0 });
  });

  it("an invalid address is tried once", async () => {
    const { runtime } = await runScript([{ text: "Hi." }]);
    const model = openAiModel({ baseUrl: "http://127.0.0.1:1", model: "m" });
    const events: string[] = [];
    const onEvent = ({ type }: { type: string }) => events.push(type);
    const outcome = await startRun({ runtime, model, task: "Hello?", retryDelayMs: 1, onEvent }).done;
    expect(outcome).toMatchObject({ reason: "error", error: { code: "MODEL_UNREACHABLE" } });
    expect(events.filter((type) => type === "step.failed")).toHaveLength(1);
  });

  it("names the wait that a server requests if it is too long", async () => {
    const { outcome } = await runScript(always({ fail: 429, retryAfter: 9999 }));
    expect(outcome.error?.message).toContain("asks for a delay of 9999 s, but this run waits at most 60 s");
  });

  it("a single empty response is retried, and the cut-off output is still reported", async () => {
    expect((await runScript([{}, { text: "Here." }])).outcome).toMatchObject({
      reason: "end_turn",
      summary: "Here.",
    });
    const { outcome } = await runScript([{ text: "It begins", finish: "length" }]);
    expect(outcome.summary).toBe("It begins");
  });

  it("arguments as JSON within JSON, and missing arguments, are accepted", async () => {
    const { done, log } = await runScript([
      { calls: [{ name: "look", args: JSON.stringify(JSON.stringify({ path: "a.txt" })) }] },
      { calls: [{ name: "look", args: "" }] },
      { text: "Done." },
    ]);
    expect(done).toEqual(["look a.txt"]);
    const settled = log.filter((event) => event.type === "call.settled");
    expect(settled[1]).toMatchObject({ code: "INVALID_ARGUMENTS" });
  });
});
