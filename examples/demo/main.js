// Runs the main use case offline: `haft run` finds and fixes a bug in a sample project while you watch. A scripted
// model replaces a real one unless the environment names one (OPENAI_BASE_URL, OPENAI_API_KEY, HAFT_MODEL). Exits
// non-zero if the bug is not fixed. Passes its arguments on to `haft run`: `pnpm demo --approve ask` asks you before
// each change.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { probeSandbox } from "@haft/runtime-node";
import { sampleWorkspace } from "../sample-workspace.js";
import { nextTurn } from "./scripted-agent.js";
import { BUG, SHOP } from "./shop-project.js";

const TASK = "The tests of this shop fail. Find the bug, fix it, and show that they pass.";
const HAFT = join(dirname(createRequire(import.meta.url).resolve("@haft/cli/package.json")), "bin/haft.js");

const { tier, detail } = await probeSandbox();
console.log(tier === "bubblewrap" ? `sandbox: ${detail}` : `sandbox: ${detail}. Commands run on the host.`);
const sample = sampleWorkspace(SHOP);
const { env } = process;
const isReal = Boolean(env.HAFT_BASE_URL || env.OPENAI_BASE_URL || env.HAFT_API_KEY || env.OPENAI_API_KEY);
const scripted = isReal ? undefined : await startScriptedModel(nextTurn);
const model = env.HAFT_MODEL || env.OPENAI_MODEL || (isReal ? "gpt-5-mini" : "scripted");
try {
  const server = scripted === undefined ? [] : ["--base-url", scripted.url];
  const code = await haft(
    "run",
    TASK,
    "--model",
    model,
    ...server,
    "--approve",
    "all",
    ...process.argv.slice(2),
  );
  assert.equal(code, 0, "haft run did not come to a good end");
  assert.ok(
    !readFileSync(join(sample.workspace, "src/discount.js"), "utf8").includes(BUG),
    "the bug is still there",
  );
  execFileSync(process.execPath, ["--test"], {
    cwd: sample.workspace,
    stdio: "pipe",
    env: withoutTestRunner(),
  });
} finally {
  await scripted?.close();
  sample.remove();
}

/** @param {string[]} args */
function haft(...args) {
  const child = spawn(process.execPath, [HAFT, ...args], {
    cwd: sample.workspace,
    stdio: "inherit",
    env: { ...env, XDG_STATE_HOME: sample.stateDirectory },
  });
  return new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
}

/** `node --test` inside a test run would report to that run instead of running. */
function withoutTestRunner() {
  const { NODE_TEST_CONTEXT, ...rest } = env;
  return rest;
}
