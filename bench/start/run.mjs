// Measures how long the command takes to start, as a ratio to an empty Node script.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const GOAL = 1.6;
const RUNS = Number(process.argv.find((each) => /^\d+$/.test(each)) ?? 15);
const haft = fileURLToPath(new URL("../../packages/cli/bin/haft.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "haft-start-"));
const empty = join(folder, "empty.mjs");
writeFileSync(empty, "");
writeFileSync(join(folder, "a.txt"), "hello\n");
const options = { cwd: folder, env: { ...process.env, XDG_STATE_HOME: join(folder, "state") } };

const contenders = {
  "empty script": () => run(empty),
  "haft --version": () => run(haft, "--version"),
  "haft --help": () => run(haft, "--help"),
  "haft tools": () => run(haft, "tools"),
  "haft call read_file": () => run(haft, "call", "read_file", '{"path":"a.txt"}'),
  "haft mcp, to the first result": () => firstResult(),
};

const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = -1; round < RUNS; round += 1) {
  for (const [name, start] of Object.entries(contenders)) {
    const began = performance.now();
    await start();
    // The first round warms the file cache.
    if (round >= 0) times[name].push(performance.now() - began);
  }
}
rmSync(folder, { recursive: true, force: true });

const sorted = Object.entries(times).map(([name, values]) => [name, values.sort((a, b) => a - b)]);
const [, base] = sorted[0];
const ratio = (values) => Math.round((median(values) / median(base)) * 100) / 100;
console.table(
  Object.fromEntries(
    sorted.map(([name, values]) => [
      name,
      { "best ms": Math.round(values[0]), "median ms": Math.round(median(values)), ratio: ratio(values) },
    ]),
  ),
);
const figures = sorted.slice(1).map(([name, values]) => `${name} ${ratio(values)}`);
console.log(
  `start: ${RUNS} runs, as a ratio to an empty script: ${figures.join(", ")} (goal ${GOAL} for --version)`,
);
if (process.argv.includes("--check") && ratio(times["haft --version"]) > GOAL) process.exitCode = 1;

function median(values) {
  return values[Math.floor(values.length / 2)];
}

function run(...args) {
  const { status, stderr } = spawnSync(process.execPath, args, { ...options, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
}

/** Initialize, list, read one file: a client's first requests. */
function firstResult() {
  const child = spawn(process.execPath, [haft, "mcp", "--workspace", folder], {
    ...options,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: 0, method: "initialize", params: client });
  send({ method: "notifications/initialized" });
  send({ id: 1, method: "tools/list" });
  send({ id: 2, method: "tools/call", params: { name: "read_file", arguments: { path: "a.txt" } } });
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes('"id":2')) child.stdin.end();
    });
    child.on("error", reject);
    child.on("close", () => (output.includes("hello") ? resolve() : reject(new Error("no result"))));
  });
}
