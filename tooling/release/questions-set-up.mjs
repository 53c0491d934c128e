// How the questions under "Set up" are tried, by their number on the page.
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { commandsOf } from "./question-kit.mjs";

export const SET_UP = {
  async install({ run }) {
    const [install, doctor] = commandsOf("start/install.md", "the-command");
    await run(install);
    assert.match(await run(doctor), /node .*\n.*sandbox/);
  },

  async Ollama({ run, scriptedModel }) {
    const model = await scriptedModel(TURNS, 11434);
    const [command] = commandsOf("start/models.md", "ollama");
    assert.match(await run(command), /Done\./);
    assert.equal(model.requests[0].model, "qwen3");
    await model.close();
  },

  OpenAI: (trial) => askProvider(trial, "openai", ({ headers }) => headers.authorization),
  Anthropic: (trial) => askProvider(trial, "anthropic", ({ headers }) => headers["x-api-key"]),
  Gemini: (trial) => askProvider(trial, "gemini", ({ headers }) => headers["x-goog-api-key"]),

  async "Claude Code"(trial) {
    await serves(trial, "claude-code", ".mcp.json", ({ mcpServers }) => mcpServers.haft);
  },

  async Cursor(trial) {
    await serves(trial, "cursor", ".cursor/mcp.json", ({ mcpServers }) => mcpServers.haft);
    await serves(trial, "vscode", ".vscode/mcp.json", ({ servers }) => servers.haft);
    await serves(trial, "zed", ".zed/settings.json", ({ context_servers: servers }) => servers.haft);
    const [codex, desktop] = commandsOf("start/connect.md", "codex-and-claude-desktop");
    assert.match(await trial.run(codex), /\[mcp_servers\.haft\]/);
    assert.match(await trial.run(desktop), /mcpServers/);
  },
};

const TURNS = [{ calls: [{ name: "read_file", args: { path: "a.txt" } }] }, { text: "Done." }];

/** The page's own commands, one shell for all, so that what it exports reaches the last one. */
async function askProvider({ run, providers }, anchor, keyOf) {
  const before = providers.requests.length;
  const lines = commandsOf("start/models.md", anchor);
  const printed = await run(lines.join(" && "), { NODE_OPTIONS: `--import ${providers.preload}` });
  assert.match(printed, /Done\./);
  const mine = providers.requests.slice(before);
  assert.equal(mine.length, 2);
  // Exported by the page as it stands there.
  assert.match(keyOf(mine[0]), /\.\.\.$/);
}

/** The client's file starts a server with tools. */
async function serves(trial, client, file, entryOf) {
  await trial.run(`haft mcp install --client ${client} --write`);
  const { command, args } = entryOf(JSON.parse(trial.read(file)));
  const server = trial.start(command, args);
  const clientInfo = { name: "trial", version: "1.0.0" };
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 1, method: "initialize", params: initialize });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/list" });
      }
      if (id === 2) return assert.ok(result.tools.some(({ name }) => name === "read_file"));
    }
    throw new Error(`${command} ${args.join(" ")} ended without an answer`);
  } finally {
    server.kill();
  }
}
