import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sampleWorkspace } from "../sample-workspace.js";
import { hostServer } from "./host.js";

const sample = sampleWorkspace({ "plan.md": "# Plan\n" });
const tsx = createRequire(import.meta.url).resolve("tsx");
const server = {
  command: process.execPath,
  args: ["--import", tsx, fileURLToPath(new URL("server.ts", import.meta.url))],
};
const serverOf = (stateDirectory: string) => ({
  ...server,
  args: [...server.args, sample.workspace, stateDirectory],
});

// As a server: the official client lists the tools, reads a file, and is asked before it is overwritten.
const client = new Client({ name: "example", version: "1.0.0" }, { capabilities: { elicitation: {} } });
const questions: string[] = [];
client.setRequestHandler("elicitation/create", async ({ params }) => {
  questions.push(params.message);
  return { action: "accept", content: { approved: true } };
});
await client.connect(new StdioClientTransport(serverOf(sample.stateDirectory)));
const { tools } = await client.listTools();
assert.equal(tools.find(({ name }) => name === "read_file")?.annotations?.readOnlyHint, true);
const page = await client.callTool({ name: "read_file", arguments: { path: "plan.md" } });
assert.deepEqual((page.structuredContent as { content: string }).content, "# Plan\n");

const content = "# Plan\n\nShip it.\n";
const written = await client.callTool({ name: "write_file", arguments: { path: "plan.md", content } });
assert.ok(!written.isError, JSON.stringify(written));
assert.match(questions[0] ?? "", /\+Ship it\./);
console.log(questions[0]);
assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), content);

// An error has a text for the model and details for a program.
const missing = await client.callTool({ name: "read_file", arguments: { path: "plans.md" } });
assert.equal(missing.isError, true);
assert.match(JSON.stringify(missing._meta?.["haft/error"]), /"code":"FILE_NOT_FOUND"/);
await client.close();

// As a host: the tools of the same server in a runtime of our own, which asks before each call.
const asked: string[] = [];
const runtime = await hostServer(
  serverOf(`${sample.stateDirectory}-2`),
  sample.workspace,
  async ({ tool }) => {
    asked.push(tool);
    return { approved: true };
  },
);
const read = await runtime.call("notes_read_file", { path: "plan.md" });
assert.match(read.text, /Ship it\./);
assert.deepEqual(asked, ["notes_read_file"]);
console.log(read.text);

await runtime.dispose();
sample.remove();
