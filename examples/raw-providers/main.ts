import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sampleWorkspace } from "../sample-workspace.js";
import { runTask } from "./agent-loop.js";
import { openTask, type Provider, type TaskPlace } from "./open-task.js";
import { startScriptedProvider } from "./scripted-provider.js";

const TASK: Readonly<Record<Provider, object>> = {
  openai: { role: "user", content: "Ship it." },
  "openai-responses": { type: "message", role: "user", content: "Ship it." },
  anthropic: { role: "user", content: "Ship it." },
  gemini: { role: "user", parts: [{ text: "Ship it." }] },
};

for (const provider of Object.keys(TASK) as Provider[]) {
  const approved = await askThenAnswer(provider, true);
  assert.equal(approved.plan, "# Plan\n\nShip it.\n");
  const denied = await askThenAnswer(provider, false);
  assert.equal(denied.plan, "# Plan\n");
  assert.match(denied.lastRequest, /APPROVAL_DENIED/);
  console.log(`${provider}: approved by another process, and denied for good`);
}

/** One process requests approval and is killed. This one loads its stored state, answers, and finishes the task. */
async function askThenAnswer(provider: Provider, answer: boolean) {
  const { remove, ...folders } = sampleWorkspace({ "plan.md": "# Plan\n" });
  const server = await startScriptedProvider([
    { id: "call-1", name: "read_file", args: { path: "plan.md" } },
    { id: "call-2", name: "write_file", args: { path: "plan.md", content: "# Plan\n\nShip it.\n" } },
    { text: "Done." },
  ]);
  const place: TaskPlace = { ...folders, provider, url: server.url };
  const { messages, diffs } = await askAndDie(place, [TASK[provider]]);
  assert.match(diffs[0] ?? "", /\+Ship it\./);

  const { runtime, conversation, approvals } = await openTask(place, messages);
  const [waiting] = await runtime.pending();
  assert.ok(waiting);
  const outcome = await runTask(conversation, approvals, new Map([[waiting.callId, answer]]));
  assert.deepEqual(outcome, { text: "Done." });
  assert.deepEqual(await runtime.pending(), []);
  const lastRequest = server.requests.at(-1) ?? "";
  if (provider === "gemini") assert.match(lastRequest, /signed-call-1[\s\S]*signed-call-2/);
  const plan = readFileSync(join(folders.workspace, "plan.md"), "utf8");
  await runtime.dispose();
  server.close();
  remove();
  return { plan, lastRequest };
}

/** Returns the state that the first process stored before it was killed. */
async function askAndDie(
  place: TaskPlace,
  messages: object[],
): Promise<{ messages: object[]; diffs: readonly string[] }> {
  const args = ["--import", "tsx", "ask.ts", JSON.stringify(place), JSON.stringify(messages)];
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  child.kill("SIGKILL");
  await gone;
  return JSON.parse(line);
}
