// Kills a writing process repeatedly and inspects the workspace. Usage: node bench/crash/run.mjs [kills] [state parent]
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../packages/runtime-node/test-support/bundle.mjs";
import { SCENARIOS } from "./generations.mjs";

const kills = Number(process.argv[2] ?? 1000);
const stateParent = process.argv[3];
const writer = new URL("./writer.mjs", import.meta.url).pathname;
const built = mkdtempSync(join(tmpdir(), "haft-crash-built-"));
const product = await bundle(new URL("./product.mjs", import.meta.url).pathname, built);
const { OverlayWorkspace, openNodeWorkspace } = await import(product);
const scenarios = Object.keys(SCENARIOS);
const totals = {};
// Long enough for several commits, so that a kill can hit any point of one.
const MAX_LIFE_MS = 250;
const startedAt = Date.now();

await Promise.all(scenarios.map((scenario) => runScenario(scenario, Math.ceil(kills / scenarios.length))));
console.table(totals);
const sum = (field) => Object.values(totals).reduce((total, each) => total + each[field], 0);
console.log(
  `crash: ${sum("kills")} kills, ${sum("midCommit")} in the middle of a commit ` +
    `(${sum("rolledBack")} rolled back, ${sum("finished")} found finished), ${sum("tempsLeft")} temporary files found by the next start, ` +
    `${sum("torn")} torn or between, ${sum("strays")} temporary files left after it, ${Math.round((Date.now() - startedAt) / 1000)} s`,
);
rmSync(built, { recursive: true });
process.exitCode = sum("torn") + sum("strays") === 0 ? 0 : 1;

async function runScenario(scenario, count) {
  const base = mkdtempSync(join(tmpdir(), `haft-crash-${scenario}-`));
  const root = join(base, "ws");
  const state =
    stateParent === undefined ? join(base, "state") : mkdtempSync(join(stateParent, "haft-state-"));
  mkdirSync(root);
  const total = { kills: 0, midCommit: 0, rolledBack: 0, finished: 0, tempsLeft: 0, torn: 0, strays: 0 };
  totals[scenario] = total;
  await seed(root, state, scenario);
  for (; total.kills < count; total.kills += 1) {
    await killAWriter([root, state, scenario]);
    await look({ root, state, scenario, total });
    if (scenario === "create" && readdirSync(root).length > 200)
      for (const name of readdirSync(root).slice(0, -1)) rmSync(join(root, name));
  }
  rmSync(base, { recursive: true });
  rmSync(state, { recursive: true, force: true });
}

async function seed(root, stateDirectory, scenario) {
  const workspace = await openNodeWorkspace(root, { stateDirectory });
  const overlay = new OverlayWorkspace(workspace);
  await SCENARIOS[scenario].seed(overlay);
  await workspace.commit(overlay.changes, { callId: "seed", tool: "bench" });
  workspace.close();
}

/** Resolves when the process has exited. */
function killAWriter(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writer, product, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), Math.random() * MAX_LIFE_MS));
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      signal === "SIGKILL" ? resolve() : reject(new Error(`the writer ended by itself: ${code}`)),
    );
  });
}

async function look({ root, state, scenario, total }) {
  total.tempsLeft += tempNames(root).length;
  const open = unfinished(state);
  const workspace = await openNodeWorkspace(root, { stateDirectory: state });
  total.midCommit += open.length;
  for (const record of (await workspace.journal.list()).filter(({ seq }) => open.includes(seq))) {
    if (record.state === "aborted") total.rolledBack += 1;
    if (record.state === "done") total.finished += 1;
  }
  workspace.close();
  total.strays += tempNames(root).length;
  try {
    SCENARIOS[scenario].check(root);
  } catch (error) {
    total.torn += 1;
    console.error(scenario, error.message);
  }
}

function tempNames(root) {
  return readdirSync(root, { recursive: true }).filter((name) => /\.haft-\d+-[0-9a-f]{12}\.tmp$/.test(name));
}

/** Returns the calls whose journal entry was begun and never finished. */
function unfinished(state) {
  const open = new Set();
  if (!existsSync(join(state, "journal.jsonl"))) return [];
  for (const line of readFileSync(join(state, "journal.jsonl"), "utf8").split("\n").slice(0, -1)) {
    const { type, seq } = tryParse(line);
    if (type === "begin") open.add(seq);
    if (type === "done" || type === "aborted") open.delete(seq);
  }
  return [...open];
}

function tryParse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
