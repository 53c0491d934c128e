import { defineTool, s } from "@haft/core";
import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { startRun } from "../index.js";
import { openAiModel } from "../openai/index.js";
import { startScriptedModel } from "../scripted-model/node/index.js";
import { FIND_TOOLS, findToolsTool } from "./find-tools.js";

const tool = (name: string, summary: string, deferred = true) =>
  defineTool({
    name,
    summary,
    deferred,
    permissions: [],
    approval: "auto",
    input: s.object({ text: s.string("Text", { maxLength: 9 }) }),
    run: async ({ text }) => `${name} ${text}`,
  });

const tools = [
  tool("near", "Close at hand.", false),
  tool("translate", "Translate a sentence."),
  tool("paint", "Paint a picture."),
];

function openRuntime() {
  const runtime = createTestRuntime({ tools });
  runtime.registry.register(findToolsTool(() => runtime.tools()));
  return runtime;
}

describe("FU1 deferred tools", () => {
  it("are found by their purpose and then offered to the model", async () => {
    const runtime = openRuntime();
    const server = await startScriptedModel([
      { calls: [{ name: FIND_TOOLS, args: { query: "translate a text" } }] },
      { calls: [{ name: "translate", args: { text: "hello" } }] },
      { text: "Done." },
    ]);
    const model = openAiModel({ baseUrl: server.url, model: "scripted" });
    const run = startRun({ runtime, model, task: "Go.", deferTools: true, style: "compact" });
    expect(await run.done).toMatchObject({ reason: "end_turn" });
    await server.close();
    const shown = server.requests.map(({ tools = [] }) => tools.map((each) => each.function.name));
    expect(shown[0]).toEqual(["near", FIND_TOOLS]);
    expect(shown[1]).toEqual(["near", "translate", FIND_TOOLS]);
    expect(JSON.stringify(server.requests[1]?.messages)).toContain("You can now call translate.");
    expect(JSON.stringify(server.requests[0]?.tools)).not.toContain("maxLength");
  });

  it("reports when nothing matches, and lists all of them for *", async () => {
    const runtime = openRuntime();
    expect((await runtime.call(FIND_TOOLS, { query: "xyzzy" })).text).toContain("No other tool matches");
    expect(await runtime.call(FIND_TOOLS, { query: "*" })).toMatchObject({
      value: { offers: ["translate", "paint"] },
    });
  });
});
