import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type ChatRequest, startScriptedModel } from "@haft/agent/scripted-model";
import { expect, it } from "vitest";

// Examples are JavaScript without declarations.
const example = (file: string) => import(new URL(file, import.meta.url).href);
const HAFT = fileURLToPath(new URL("../../packages/cli/bin/haft.js", import.meta.url));
const MAX_INPUT_TOKENS = 12_000;

/** Estimates tokens as everywhere in this repository: characters of the whole request / 4. */
const tokensOf = (request: ChatRequest) => JSON.stringify(request).length / 4;

it("FU1 the README's demo task costs at most 12,000 input tokens over its turns", {
  timeout: 60_000,
}, async () => {
  const { sampleWorkspace } = await example("../sample-workspace.js");
  const { nextTurn } = await example("./scripted-agent.js");
  const { SHOP } = await example("./shop-project.js");
  const sample = sampleWorkspace(SHOP);
  const model = await startScriptedModel(nextTurn);
  try {
    const args = ["run", "The tests of this shop fail. Find the bug, fix it, and show that they pass."];
    const server = ["--model", "scripted", "--base-url", model.url, "--approve", "all"];
    const child = spawn(process.execPath, [HAFT, ...args, ...server], {
      cwd: sample.workspace,
      env: { ...process.env, XDG_STATE_HOME: sample.stateDirectory },
      stdio: "ignore",
    });
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    expect(model.requests.length).toBeGreaterThanOrEqual(4);
    const tokens = model.requests.reduce((sum, request) => sum + tokensOf(request), 0);
    expect(Math.round(tokens)).toBeLessThanOrEqual(MAX_INPUT_TOKENS);
    console.info(`demo: ${model.requests.length} turns, ${Math.round(tokens)} input tokens`);
  } finally {
    await model.close();
    sample.remove();
  }
});
