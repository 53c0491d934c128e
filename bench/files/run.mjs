// Measures the time and memory for reading a range of a big file, against head and tail; for editing a long file,
// against reading and writing it; and for the differ's worst input.
import { execFile, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createToolRuntime } from "@haft/core/kernel";
import { openNodeWorkspace } from "@haft/runtime-node";
import { DEFAULT_READ_LIMITS, READ_LIMITS, ReadFile } from "@haft/tool-fs";
import { measureEdits } from "./edits.mjs";

const RUNS = 25;
// A runtime lives as long as its agent, so the first few calls do not count.
const WARM_UPS = 100;
const BIG_BYTES = 200 * 1024 * 1024;
const GOAL_RATIO = 1.5;
const GOAL_MEMORY_MB = 60;
const GOAL_EDIT_RATIO = 3;
const GOAL_DIFF_MS = 1000;

if (process.argv[2] === "memory") await measureMemory(process.argv[3], JSON.parse(process.argv[4]));
else await main();

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "haft-bench-files-"));
  try {
    const file = writeBig(folder);
    const rows = [
      await compare("lines 1-2000 of 200 MB", {
        folder,
        args: { limit: 2000 },
        command: ["head", "-n", "2000", file],
      }),
      await compare("last 200 lines of 200 MB", {
        folder,
        args: { offset: -200 },
        command: ["tail", "-n", "200", file],
      }),
    ];
    report(rows, await measureEdits());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Generates lines like a server log from a fixed seed. */
function writeBig(folder) {
  const file = join(folder, "big.log");
  const descriptor = openSync(file, "w");
  let seed = 42;
  let written = 0;
  while (written < BIG_BYTES) {
    let chunk = "";
    while (chunk.length < 1024 * 1024) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      chunk += `2026-01-01T00:00:00.${seed % 1000}Z INFO request ${seed} took ${seed % 997} ms ${"/path".repeat(seed % 9)}\n`;
    }
    written += writeSync(descriptor, chunk);
  }
  closeSync(descriptor);
  return file;
}

async function compare(name, { folder, args, command }) {
  const { runtime, close } = await open(folder);
  const call = async () => {
    const result = await runtime.call("read_file", { path: "big.log", ...args });
    if (!result.ok) throw new Error(result.text);
    return result.value;
  };
  const run = promisify(execFile);
  const spawned = () => run(command[0], command.slice(1), { maxBuffer: 64 * 1024 * 1024 });
  const firstMs = await timed(call);
  const value = await call();
  for (let index = 0; index < WARM_UPS; index += 1) await call();
  await spawned();
  const times = { ours: [], spawned: [] };
  for (let index = 0; index < RUNS; index += 1) {
    times.ours.push(await timed(call));
    times.spawned.push(await timed(spawned));
  }
  await close();
  return {
    name,
    lines: value.linesRead,
    firstMs,
    ...times,
    shell: inShell(command),
    memoryMb: memoryOf(folder, args),
  };
}

/** Limits raised, so that the whole range is returned as head and tail do. */
async function open(folder) {
  const workspace = await openNodeWorkspace(folder, { stateDirectory: `${folder}-state` });
  const limits = { ...DEFAULT_READ_LIMITS, pageBytes: 16 * 1024 * 1024, pageTokens: 16 * 1024 * 1024 };
  const runtime = createToolRuntime({
    role: { name: "reader", permissions: ["ReadFiles"] },
    tools: [ReadFile],
    workspace,
    services: [[READ_LIMITS, limits]],
    limits: { maxTokens: 16 * 1024 * 1024 },
  });
  const close = async () => {
    await runtime.dispose();
    workspace.close();
    rmSync(`${folder}-state`, { recursive: true, force: true });
  };
  return { runtime, close };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Measures the program without Node: many runs in one shell, the cheapest way to start it. */
function inShell([program, ...args]) {
  const script = `i=0; while [ $i -lt 100 ]; do ${program} "$@" > /dev/null; i=$((i+1)); done`;
  const started = performance.now();
  const { status } = spawnSync("/bin/sh", ["-c", script, "sh", ...args]);
  if (status !== 0) throw new Error(`${program} failed`);
  return (performance.now() - started) / 100;
}

function memoryOf(folder, args) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [new URL(import.meta.url).pathname, "memory", folder, JSON.stringify(args)],
    { encoding: "utf8" },
  );
  const bytes = Number(stdout);
  if (!(bytes >= 0)) throw new Error(stderr);
  return bytes / 1024 / 1024;
}

/** The peak memory of this process above its level before the first call. */
async function measureMemory(folder, args) {
  const { runtime, close } = await open(folder);
  const idle = process.memoryUsage.rss();
  for (let index = 0; index < 5; index += 1) await runtime.call("read_file", { path: "big.log", ...args });
  process.stdout.write(String(Math.max(0, process.resourceUsage().maxRSS * 1024 - idle)));
  await close();
}

function report(rows, edits) {
  console.log(
    "| read | lines | first call | read_file | from Node: head/tail | ratio | in a shell: head/tail | ratio | memory above idle |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const row of rows) {
    const ours = Math.min(...row.ours);
    const spawned = Math.min(...row.spawned);
    console.log(
      `| ${row.name} | ${row.lines} | ${ms(row.firstMs)} | ${ms(ours)} (median ${ms(median(row.ours))}) | ${ms(spawned)} | ${ratio(ours, spawned)} | ${ms(row.shell)} | ${ratio(ours, row.shell)} | ${row.memoryMb.toFixed(1)} MB |`,
    );
  }
  console.log(
    "\n| edit | time | raw: read, write, fsync | ratio | of medians | raw without fsync | ratio | processor time | raw |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const { name, ours, raw, unsynced } of edits.edits)
    console.log(editRow(name, { ours, raw, unsynced }));
  console.log("\n| worst case | diff alone | whole call |");
  console.log("|---|---|---|");
  for (const { name, diffMs, callMs } of edits.worst)
    console.log(`| ${name} | ${ms(diffMs)} | ${ms(callMs)} |`);
  const read = Math.max(...rows.map((row) => Math.min(...row.ours) / row.shell));
  const memory = Math.max(...rows.map((row) => row.memoryMb));
  const edit = Math.max(
    ...edits.edits
      .filter(({ isGoal }) => isGoal)
      .map(({ ours, raw }) => best(ours, "wallMs") / best(raw, "wallMs")),
  );
  const worst = Math.max(...edits.worst.map(({ diffMs }) => diffMs));
  console.log(
    `files: worst ratio to head/tail ${read.toFixed(2)}, memory above idle ${memory.toFixed(1)} MB, worst ratio of edit, edit_lines and replace_in_file to raw read + write ${edit.toFixed(2)}, worst diff ${ms(worst)}`,
  );
  const isMissed =
    read > GOAL_RATIO || memory > GOAL_MEMORY_MB || edit > GOAL_EDIT_RATIO || worst > GOAL_DIFF_MS;
  if (process.argv.includes("--check") && isMissed) process.exitCode = 1;
}

function editRow(name, { ours, raw, unsynced }) {
  const wall = (times) =>
    `${ms(best(times, "wallMs"))} (median ${ms(median(times.map(({ wallMs }) => wallMs)))})`;
  const middle = (times) => median(times.map(({ wallMs }) => wallMs));
  const against = (times) => ratio(best(ours, "wallMs"), best(times, "wallMs"));
  return `| ${name} | ${wall(ours)} | ${wall(raw)} | ${against(raw)} | ${ratio(middle(ours), middle(raw))} | ${wall(unsynced)} | ${against(unsynced)} | ${ms(best(ours, "cpuMs"))} | ${ms(best(raw, "cpuMs"))} |`;
}

function best(times, kind) {
  return Math.min(...times.map((time) => time[kind]));
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}

function ratio(a, b) {
  return (a / b).toFixed(2);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
