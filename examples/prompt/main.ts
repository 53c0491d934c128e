import assert from "node:assert/strict";
import { formatSystemPrompt, formatTools, promptStats, toAnthropicToolResult } from "@haft/prompt-formatter";
import { createNodeRuntime } from "@haft/runtime-node";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({ "notes.txt": "one\n" });
const runtime = await createNodeRuntime({ ...sample, role: "editor", tools: [ReadFile, WriteFile] });
const tools = runtime.tools(); // the tools of this role, spelled in its dialect

const prompt = formatSystemPrompt(tools, { introduction: "You are a careful editor." });
assert.match(prompt, /^You are a careful editor\.\n\n# Tools\n/);
assert.match(prompt, /## File Reading\n[\s\S]*### read_file\n/);
// The same tools give the same bytes in any order, so a provider's prompt cache keeps working.
assert.equal(formatSystemPrompt([...tools].reverse()), formatSystemPrompt(tools));
assert.match(formatSystemPrompt(tools, { flavour: "xml" }), /^<tools>\n/);
console.log(`${tools.length} tools, about ${promptStats(prompt).tokens} tokens`);
console.log(prompt.split("\n\n").find((part) => part.startsWith("### read_file")));

// Every example in the prompt is a valid call.
const example = /### read_file[\s\S]*?Example \(.*?\): `(.*)`/.exec(prompt)?.[1];
assert.equal(typeof JSON.parse(example ?? "{}").path, "string");

for (const provider of ["openai", "openai-responses", "anthropic", "gemini", "mcp"] as const)
  assert.ok(JSON.stringify(formatTools(tools, provider)).includes("read_file"), provider);

// A model's call runs under the provider's id, and its result goes back in the provider's form.
const block = { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "notes.txt" } };
const result = await runtime.call(block.name, block.input, { callId: block.id });
assert.deepEqual(toAnthropicToolResult(result), {
  type: "tool_result",
  tool_use_id: "toolu_1",
  is_error: false,
  content: result.text,
});

await runtime.dispose();
sample.remove();
