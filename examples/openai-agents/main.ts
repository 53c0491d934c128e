import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatApproval } from "@haft/prompt-formatter";
import { toOpenAiAgentsTools } from "@haft/prompt-formatter/openai-agents";
import { createNodeRuntime } from "@haft/runtime-node";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { Agent, type Model, type ModelResponse, Runner, RunState, Usage } from "@openai/agents";
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({ "plan.md": "# Plan\n" });
const tools = [ReadFile, WriteFile];
const runtime = await createNodeRuntime({ ...sample, role: "editor", tools, decidable: true });

const agent = new Agent({
  name: "Editor",
  model: scriptedModel(), // or "gpt-5"
  tools: [...toOpenAiAgentsTools(runtime, { askedBy: "library" })],
});
const runner = new Runner({ tracingDisabled: true });

// Overwriting interrupts the run. Its state is text, which another process can store and resume.
const paused = await runner.run(agent, "Ship it.");
const stored = paused.state.toString();
const [request] = await runtime.pending();
assert.ok(request);
console.log(formatApproval(request));

const state = await RunState.fromString(agent, stored);
for (const interruption of state.getInterruptions()) state.approve(interruption);
const done = await runner.run(agent, state);
assert.equal(done.finalOutput, "done");
assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), "# Plan\n\nShip it.\n");

await runtime.dispose();
sample.remove();

/** Replaces the model: reads the file, overwrites it, and ends. */
function scriptedModel(): Model {
  const call = (callId: string, name: string, args: object): ModelResponse["output"][number] => ({
    type: "function_call",
    callId,
    name,
    arguments: JSON.stringify(args),
    status: "completed",
  });
  const turns: ModelResponse["output"][number][] = [
    call("call-1", "read_file", { path: "plan.md" }),
    call("call-2", "write_file", { path: "plan.md", content: "# Plan\n\nShip it.\n" }),
    {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "done" }],
    },
  ];
  return {
    getResponse: async () => ({ usage: new Usage(), output: turns.splice(0, 1) }),
    getStreamedResponse: () => {
      throw new Error("this script is not streamed");
    },
  };
}
