import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toLangChainAgent } from "@haft/prompt-formatter/langchain-agent";
import { createNodeRuntime } from "@haft/runtime-node";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, type HITLRequest } from "langchain";
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({ "plan.md": "# Plan\n" });
const tools = [ReadFile, WriteFile];
const runtime = await createNodeRuntime({ ...sample, role: "editor", tools, decidable: true });

const agent = createAgent({
  model: scriptedModel(), // or "openai:gpt-5"
  checkpointer: new MemorySaver(),
  ...toLangChainAgent(runtime),
});
const thread = { configurable: { thread_id: "1" } };

// Reading needs no approval. Overwriting interrupts the agent with the exact diff.
const paused = await agent.invoke({ messages: "Ship it." }, thread);
const { __interrupt__: interrupts } = paused as { __interrupt__?: { value: HITLRequest }[] };
const question = interrupts?.[0]?.value.actionRequests[0]?.description ?? "";
console.log(question);
assert.match(question, /\+Ship it\./);
assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), "# Plan\n");

// The answer may come later and from another process. The bytes that were shown are the bytes that are written.
const done = await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
assert.equal(done.messages.at(-1)?.content, "done");
assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), "# Plan\n\nShip it.\n");

await runtime.dispose();
sample.remove();

/** Replaces the model: reads the file, overwrites it, and ends. */
function scriptedModel() {
  const calls = [
    { name: "read_file", args: { path: "plan.md" }, id: "call-1" },
    { name: "write_file", args: { path: "plan.md", content: "# Plan\n\nShip it.\n" }, id: "call-2" },
  ];
  const turns = calls.map((call) => new AIMessage({ content: "", tool_calls: [call] }));
  return [...turns, new AIMessage("done")].reduce((model, turn) => model.respond(turn), fakeModel());
}
