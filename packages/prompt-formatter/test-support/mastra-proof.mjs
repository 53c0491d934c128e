// Proves the Mastra adapter with the real library. `pnpm test:mastra` starts it in a folder where that is installed.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createNodeRuntime } from "../../runtime-node/dist/index.js";
import { ReadFile, WriteFile } from "../../tool-fs/dist/index.js";
import { toMastraTools } from "../dist/mastra.js";

const { resolve } = createRequire(join(process.argv[2], "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)).href);
const [{ Agent }, { createTool }, { Mastra }, { InMemoryStore }] = await Promise.all(
  ["agent", "tools", "mastra", "storage"].map((part) => load(`@mastra/core/${part}`)),
);

const overwrite = { tool: "write_file", args: { path: "f.txt", content: "new\n" } };

/** A model that plays scripted turns; `sent` collects its inputs. */
function scripted(turns, sent = []) {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  let next = 0;
  const doGenerate = async ({ prompt }) => {
    sent.push(prompt);
    const turn = turns[next] ?? "the script is over";
    next += 1;
    if (typeof turn === "string")
      return { content: [{ type: "text", text: turn }], finishReason: "stop", usage, warnings: [] };
    const { tool: toolName, args } = turn;
    const call = { type: "tool-call", toolCallId: `call-${next}`, toolName, input: JSON.stringify(args) };
    return { content: [call], finishReason: "tool-calls", usage, warnings: [] };
  };
  return { specificationVersion: "v2", provider: "test", modelId: "scripted", supportedUrls: {}, doGenerate };
}

async function setUp(turns, options = { askedBy: "library" }, runtimeOptions = { decidable: true }) {
  const base = mkdtempSync(join(tmpdir(), "haft-mastra-"));
  const workspace = join(base, "ws");
  mkdirSync(workspace);
  const file = join(workspace, "f.txt");
  writeFileSync(file, "old\n");
  const runtime = await createNodeRuntime({
    workspace,
    stateDirectory: join(base, "state"),
    role: "coder",
    tools: [ReadFile, WriteFile],
    readBeforeWrite: "off",
    env: {},
    ...runtimeOptions,
  });
  const sent = [];
  const tools = toMastraTools(runtime, createTool, options);
  const agent = new Agent({ id: "a", name: "a", instructions: "", model: scripted(turns, sent), tools });
  const mastra = new Mastra({ agents: { a: agent }, storage: new InMemoryStore(), logger: false });
  return {
    runtime,
    agent: mastra.getAgent("a"),
    content: () => readFileSync(file, "utf8"),
    write: (text) => writeFileSync(file, text),
    lastSent: () => JSON.stringify(sent.at(-1)),
    end: async () => {
      await runtime.dispose();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

const PROOFS = {
  "call: the tool's text is what the model reads": async () => {
    const { agent, lastSent, end } = await setUp([{ tool: "read_file", args: { path: "f.txt" } }, "done"]);
    assert.equal((await agent.generate("go")).text, "done");
    assert.match(lastSent(), /old/);
    await end();
  },
  "approval: the run is suspended with the question; approved, what was shown runs": async () => {
    const { agent, runtime, content, end } = await setUp([overwrite, "done"]);
    const asked = await agent.generate("go");
    assert.equal(asked.finishReason, "suspended");
    const [pending] = await runtime.pending();
    assert.match(pending.changes[0].diff, /\+new/);
    assert.match(JSON.stringify(asked.suspendPayload), /planDigest/);
    assert.equal(content(), "old\n");
    const { runId, suspendPayload } = asked;
    await agent.approveToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId });
    assert.equal(content(), "new\n");
    assert.deepEqual(await runtime.pending(), []);
    await end();
  },
  "denial: the approver and the model hear of it": async () => {
    const { agent, runtime, content, lastSent, end } = await setUp([overwrite, "done"]);
    const { runId, suspendPayload } = await agent.generate("go");
    await agent.declineToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId, reason: "not now" });
    assert.equal(content(), "old\n");
    assert.match(lastSent(), /not now/);
    assert.deepEqual(await runtime.pending(), []);
    await end();
  },
  "stale: nothing is written over what changed meanwhile": async () => {
    const { agent, content, write, end } = await setUp([overwrite, "done"]);
    const { runId, suspendPayload } = await agent.generate("go");
    write("somebody else's\n");
    await agent.approveToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId });
    assert.equal(content(), "somebody else's\n");
    await end();
  },
  "error: a failure is a text the model can read": async () => {
    const { agent, lastSent, end } = await setUp([{ tool: "read_file", args: { path: "none" } }, "done"]);
    await agent.generate("go");
    assert.match(lastSent(), /FILE_NOT_FOUND/);
    await end();
  },
  "the runtime's own approver is asked where the library is not to ask": async () => {
    const approver = async () => ({ approved: true });
    const { agent, content, end } = await setUp([overwrite, "done"], {}, { approver });
    assert.equal((await agent.generate("go")).text, "done");
    assert.equal(content(), "new\n");
    await end();
  },
};

for (const [title, prove] of Object.entries(PROOFS)) {
  await prove();
  process.stdout.write(`ok ${title}\n`);
}
process.exit(0);
