import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { countedTools } from "../../test-support/tools.js";
import { type ModelClient, type ModelDelta, type ModelRequest, startRun } from "../index.js";

/** A model that replays a list of answers. */
function listed(turns: readonly (readonly ModelDelta[])[]): ModelClient & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    stream: async function* (request) {
      requests.push(request);
      yield* turns[requests.length - 1] ?? [];
    },
  };
}

describe("a run", () => {
  it("executes a call, sends its result, and ends with the model's message", async () => {
    const runtime = createTestRuntime({ tools: countedTools().tools, files: { "a.txt": "hello" } });
    const model = listed([
      [
        { type: "call", index: 0, id: "c1", name: "look", args: '{"path":"a.txt"}' },
        { type: "finish", reason: "tool_calls" },
      ],
      [
        { type: "text", delta: "It says hello." },
        { type: "finish", reason: "stop" },
      ],
    ]);
    const run = startRun({ runtime, model, task: "What does a.txt say?" });
    expect(await run.done).toMatchObject({ reason: "end_turn", summary: "It says hello.", steps: 2 });
    expect(run.log.map(({ type }) => type)).toEqual([
      "run.started",
      "message.user",
      "step.ended",
      "call.started",
      "call.settled",
      "step.ended",
      "run.ended",
    ]);
    expect(model.requests[1]?.messages.slice(1)).toEqual([
      { role: "user", text: "What does a.txt say?" },
      { role: "assistant", text: "", calls: [{ id: "c1", name: "look", args: '{"path":"a.txt"}' }] },
      { role: "tool", callId: "c1", tool: "look", content: [{ type: "text", text: "hello" }] },
    ]);
  });
});
