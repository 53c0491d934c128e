import { scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { danglingCalls, normalised, runScript, types } from "../../test-support/scripted-run.js";
import { decide, foldEvents } from "../index.js";
import type { Script } from "../scripted-model/node/index.js";

const look = (path: string, more: object = {}) => ({ name: "look", args: { path, ...more } });

describe("golden logs: one scenario, one log", () => {
  const scenarios: Record<
    string,
    { script: Script; answers?: readonly (boolean | object)[]; setting?: object }
  > = {
    "S4.004.c a chain of calls and a summary": {
      script: [{ text: "Looking.", calls: [look("a.txt"), look("b.txt")] }, { text: "Both read." }],
    },
    "S3.APPR an approved change": {
      script: [{ calls: [{ name: "put", args: { path: "a.txt", text: "new" } }] }, { text: "Changed." }],
      answers: [true],
    },
    "S3.APPR a denied change, with feedback": {
      script: [{ calls: [{ name: "put", args: { path: "a.txt", text: "new" } }] }, { text: "Then not." }],
      answers: [{ approved: false, feedback: "leave it" }],
    },
    "S3.APPR a change with arguments a person changed": {
      script: [{ calls: [{ name: "put", args: { path: "a.txt", text: "new" } }] }, { text: "Changed." }],
      answers: [{ approved: true, modifiedArgs: { path: "a.txt", text: "newer" } }],
    },
    "terminate: a closing turn without tools summarizes": {
      script: [{ calls: [look("a.txt", { terminate: true })] }, { text: "It says alpha." }],
    },
    "terminate without a closing turn": {
      script: [{ text: "Reading.", calls: [look("a.txt", { terminate: true })] }],
      setting: { summary: "none" },
    },
    "arguments that are not JSON, and an unknown tool": {
      script: [
        {
          calls: [
            { name: "look", args: '{"path": ' },
            { name: "lok", args: { path: "a.txt" } },
          ],
        },
        { text: "I give up." },
      ],
    },
    "a server that fails, then answers": {
      script: [{ fail: 503 }, { fail: 429, retryAfter: 0 }, { text: "Here I am." }],
    },
  };

  it.each(Object.entries(scenarios))("%s", async (_, { script, answers, setting }) => {
    const approver = answers && { approver: scriptedApprover(answers as never) };
    const { log, server, run } = await runScript(script, { ...approver, ...setting });
    expect(normalised(log)).toMatchSnapshot();
    for (const { messages } of server.requests) expect(danglingCalls(messages)).toEqual([]);
    // The log alone reproduces the state, which has nothing left to do.
    expect(foldEvents(log)).toEqual(run.state);
    expect(decide(run.state)).toEqual([]);
  });
});

describe("the messages sent to a model", () => {
  it("S0.CAT the categorised prompt by default, and the tools with `terminate`", async () => {
    const { server } = await runScript([{ text: "Hi." }], { system: undefined as never });
    const [request] = server.requests;
    expect(request?.messages[0]).toMatchObject({ role: "system" });
    expect(request?.messages[0]?.content).toContain("File Reading");
    expect(request?.tools?.map(({ function: { name } }) => name)).toEqual(["look", "put", "act"]);
    for (const tool of request?.tools ?? [])
      expect(tool.function.parameters).toMatchObject({ properties: { terminate: { type: "boolean" } } });
    expect(request?.tool_choice).toBe("auto");
  });

  it("results in the model's order, whichever call finished first", async () => {
    const calls = [30, 1, 15].map((ms, index) => ({ name: "act", args: { what: `${index}`, ms } }));
    const { server, done } = await runScript([{ calls: [...calls, look("a.txt")] }, { text: "Done." }]);
    const messages = server.requests[1]?.messages ?? [];
    expect(messages.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id)).toEqual([
      "call_1_0",
      "call_1_1",
      "call_1_2",
      "call_1_3",
    ]);
    expect(done.filter((line) => line.startsWith("begin"))).toEqual(["begin 0", "begin 1", "begin 2"]);
  });

  it("the closing turn has tool_choice none, and its calls are not executed", async () => {
    const { server, outcome, log, done } = await runScript([
      { calls: [look("a.txt", { terminate: true })] },
      { text: "One more.", calls: [look("b.txt")] },
    ]);
    expect(server.requests.map(({ tool_choice }) => tool_choice)).toEqual(["auto", "none"]);
    expect(outcome).toMatchObject({ reason: "terminated", summary: "One more." });
    expect(log.at(-2)).toMatchObject({ type: "step.ended", calls: [], ignoredCalls: 1 });
    expect(done).toEqual(["look a.txt"]);
  });

  it("terminate ends the run only if every call of the turn sets it and succeeds", async () => {
    const { outcome } = await runScript([
      { calls: [look("a.txt", { terminate: true }), look("b.txt")] },
      { calls: [look("missing.txt", { terminate: true })] },
      { text: "Over." },
    ]);
    expect(outcome).toMatchObject({ reason: "end_turn", steps: 3 });
  });

  it("`terminate` is stored with the call and never reaches the tool", async () => {
    const { log, runtime } = await runScript([{ calls: [look("a.txt", { terminate: true })] }, {}]);
    const step = log.find((event) => event.type === "step.ended");
    expect(step).toMatchObject({ calls: [{ terminate: true, args: { path: "a.txt" } }] });
    const requested = runtime.events.find(({ type }) => type === "requested");
    expect(requested).toMatchObject({ args: { path: "a.txt" }, terminate: true });
  });

  it("distinguishes ids that the model repeats or omits", async () => {
    const calls = ["same", "same", ""].map((id) => ({ ...look("a.txt"), id }));
    const { server, log } = await runScript([{ calls }, { text: "Done." }]);
    expect(danglingCalls(server.requests[1]?.messages ?? [])).toEqual([]);
    const step = log.find((event) => event.type === "step.ended");
    const ids = step?.type === "step.ended" ? step.calls.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(3);
  });
});

describe("S1.C6 reads run concurrently, everything else in order", () => {
  it("a read after a command waits for it; reads run concurrently", async () => {
    const order: string[] = [];
    const { log } = await runScript(
      [
        {
          calls: [
            look("a.txt"),
            look("b.txt"),
            { name: "put", args: { path: "c.txt", text: "c" } },
            look("c.txt"),
          ],
        },
        { text: "Done." },
      ],
      {
        approver: scriptedApprover(true),
        onEvent: (event) => {
          if (event.type === "call.started" || event.type === "call.settled")
            order.push(`${event.type} ${event.callId.split(":")[2]}`);
        },
      },
    );
    const at = (line: string) => order.indexOf(line);
    expect(at("call.started 1")).toBeLessThan(at("call.settled 0"));
    expect(at("call.started 2")).toBeGreaterThan(at("call.settled 1"));
    expect(types(log)).not.toContain("step.failed");
  });
});
