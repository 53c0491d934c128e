// The official client starts server.js, lists its tools, reads a file, and answers when the server asks to overwrite it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({ "plan.md": "# Plan\n" });
const client = new Client({ name: "example", version: "1.0.0" }, { capabilities: { elicitation: {} } });
const questions = [];
client.setRequestHandler("elicitation/create", async ({ params }) => {
  questions.push(params.message);
  return { action: "accept", content: { approved: true } };
});
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL("server.js", import.meta.url)), sample.workspace, sample.stateDirectory],
  }),
);

const { tools } = await client.listTools();
const reader = tools.find((tool) => tool.name === "read_file");
assert.equal(reader.annotations.readOnlyHint, true);
console.log(tools.map((tool) => tool.name).join(", "));

const page = await client.callTool({ name: "read_file", arguments: { path: "plan.md" } });
assert.equal(page.structuredContent.content, "# Plan\n");

// Overwriting asks the person behind the client, with the diff.
const content = "# Plan\n\nShip it.\n";
const written = await client.callTool({ name: "write_file", arguments: { path: "plan.md", content } });
assert.ok(!written.isError, JSON.stringify(written));
assert.equal(questions.length, 1);
assert.match(questions[0], /\+Ship it\./);
console.log(questions[0]);
assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), content);

// What fails is an answer too: a text for the model, and the parts of the error for a program.
const missing = await client.callTool({ name: "read_file", arguments: { path: "plans.md" } });
assert.equal(missing.isError, true);
assert.equal(missing._meta["haft/error"].code, "FILE_NOT_FOUND");

await client.close();
sample.remove();
