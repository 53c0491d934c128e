// Proves that `haft run` works with version 7 of the AI SDK, which needs Node 22: installs it in a temporary folder and
// runs a task against a server that answers in Anthropic's format. node tooling/test-run-ai-sdk-7.mjs [NODE] (after a
// build; NODE is the binary of Node 22 or later, where this one is older)
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HAFT = fileURLToPath(new URL("../packages/cli/bin/haft.js", import.meta.url));
const node = process.argv[2] ?? process.execPath;
const major = Number(execFileSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }));
assert.ok(major >= 22, "ai 7 needs Node 22: name its binary as an argument");

const TURNS = {
  call: turn({ type: "tool_use", id: "toolu_1", name: "read_file", input: {} }, "tool_use", {
    type: "input_json_delta",
    partial_json: '{"path":"a.txt"}',
  }),
  text: turn({ type: "text", text: "" }, "end_turn", { type: "text_delta", text: "It says hello." }),
};

const folder = mkdtempSync(join(tmpdir(), "haft-ai-7-"));
const requests = [];
const server = createServer(answer);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
try {
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "a.txt"), "hello\n");
  execFileSync("npm", ["install", "--silent", "--no-audit", "ai@7", "@ai-sdk/anthropic@4"], {
    cwd: folder,
    stdio: "inherit",
  });
  const { code, stdout, stderr } = await haft();
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "It says hello.\n");
  assert.equal(requests.length, 2);
  assert.match(JSON.stringify(requests[1].messages.at(-1)), /hello/);
  assert.match(JSON.stringify(requests[0]), /"effort":"low"/);
  console.log(`ai 7 works on Node ${major}`);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}-state`, { recursive: true, force: true });
}

function haft() {
  const args = ["run", "what does a.txt say?", "--model", "anthropic/claude-opus-4-5", "--effort", "low"];
  const child = spawn(node, [HAFT, ...args], {
    cwd: folder,
    env: {
      ...process.env,
      XDG_STATE_HOME: `${folder}-state`,
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (text) => {
      said[name] += text;
    });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...said })));
}

async function answer(request, response) {
  let text = "";
  for await (const chunk of request) text += chunk;
  requests.push(JSON.parse(text));
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of requests.length === 1 ? TURNS.call : TURNS.text)
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function turn(content_block, stop_reason, delta) {
  const message = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
  return [
    { type: "message_start", message: { ...message, usage: { input_tokens: 40, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 12 } },
    { type: "message_stop" },
  ];
}
