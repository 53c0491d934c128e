// Measures how long the console takes to start beside `haft mcp`, and how long runs take to draw and scroll in
// Chromium.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateDirectoryOf } from "@haft/runtime-node";
import { chromium } from "playwright-core";

const ROUNDS = Number(process.argv.find((each) => /^\d+$/.test(each)) ?? 9);
const haft = fileURLToPath(new URL("../../packages/cli/bin/haft.js", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-bench-console-")));
const env = { ...process.env, XDG_STATE_HOME: join(folder, "state") };
const root = join(folder, "project");
mkdirSync(root);

const starts = { mcp: [], console: [] };
for (let round = -1; round < ROUNDS; round += 1)
  for (const [name, start] of Object.entries({ mcp: startMcp, console: startConsole })) {
    const began = performance.now();
    const { child } = await start();
    // The first round warms the file cache.
    if (round >= 0) starts[name].push(performance.now() - began);
    await end(child);
  }
const ratio = median(starts.console) / median(starts.mcp);
console.log(
  `console: ${ROUNDS} starts, median ${Math.round(median(starts.console))} ms to its page, haft mcp ${Math.round(median(starts.mcp))} ms to its first answer: ${ratio.toFixed(2)} (goal 1.5)`,
);

const runs = join(stateDirectoryOf(root, env), "runs");
mkdirSync(runs, { recursive: true });
for (const events of [1_000, 10_000]) writeRun(`long-${events}`, events);

const { child, url } = await startConsole();
const browser = await chromium.launch({
  executablePath: process.env.HAFT_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(url);
await page.waitForURL(/\/[0-9a-f]{10}\//);
const base = page.url().split("/").slice(0, 4).join("/");
const painted = [];
for (let round = 0; round < 5; round += 1) painted.push(await firstPaint("long-1000"));
console.log(
  `console: first paint with 1,000 events, median of 5: ${Math.round(median(painted))} ms (goal 1000)`,
);
const frames = await scrollThrough("long-10000");
console.log(
  `console: scrolling through 10,000 events: median frame ${frames.median} ms, 95 of 100 within ${frames.p95} ms, ${frames.elements} elements, ${frames.megabytes} MB of heap`,
);
await browser.close();
await end(child);
rmSync(folder, { recursive: true, force: true });
if (process.argv.includes("--check") && (ratio > 1.5 || median(painted) > 1_000)) process.exitCode = 1;

/** Measures from the navigation until the end of the run is on the screen. */
async function firstPaint(run) {
  await page.goto("about:blank");
  const began = performance.now();
  await page.goto(`${base}/run/${run}`, { waitUntil: "commit" });
  await page.getByRole("region", { name: "Summary" }).waitFor();
  return performance.now() - began;
}

async function scrollThrough(run) {
  await firstPaint(run);
  const found = await page.evaluate(async () => {
    const log = document.querySelector("[role=log]");
    const gaps = [];
    let last = performance.now();
    for (let frame = 0; frame < 180; frame += 1) {
      log.scrollTop -= 400;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    gaps.sort((a, b) => a - b);
    return { median: gaps[90], p95: gaps[171], elements: document.querySelectorAll("*").length };
  });
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize").value;
  return {
    median: Math.round(found.median),
    p95: Math.round(found.p95),
    elements: found.elements,
    megabytes: Math.round(heap / 1024 ** 2),
  };
}

async function startConsole() {
  const child = spawn(process.execPath, [haft, "console", "--port", "0"], { cwd: root, env });
  const url = (await firstLine(child.stdout)).trim();
  const answer = await fetch(url, { redirect: "manual" });
  if (answer.status !== 303) throw new Error(`${url} answered ${answer.status}`);
  return { child, url };
}

async function startMcp() {
  const child = spawn(process.execPath, [haft, "mcp"], { cwd: root, env });
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await firstLine(child.stdout);
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`);
  await firstLine(child.stdout);
  return { child };
}

function firstLine(stream) {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (part) => {
      text += part;
      if (!text.includes("\n")) return;
      stream.off("data", read);
      resolve(text);
    };
    stream.on("data", read);
    stream.once("end", () => reject(new Error("it ended before it answered")));
  });
}

function end(child) {
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
}

/** Writes a journal with this many events, as a run would. */
function writeRun(runId, events) {
  const lines = [];
  const add = (body) =>
    lines.push(
      JSON.stringify({ v: 1, runId, seq: lines.length + 1, at: new Date(0).toISOString(), ...body }),
    );
  add({
    type: "run.started",
    role: "coder",
    workspace: root,
    tools: [],
    limits: { maxSteps: 9 },
    summary: "none",
  });
  add({ type: "message.user", id: "m", text: "A long task" });
  for (let step = 1; lines.length < events - 1; step += 1) {
    const callId = `${runId}:${step}:0`;
    const call = {
      callId,
      id: "c",
      index: 0,
      tool: "grep",
      rawArgs: "{}",
      args: { pattern: "x" },
      access: "read",
    };
    const calls = [{ ...call, terminate: false, idempotent: true }];
    const usage = { inputTokens: 900, outputTokens: 90 };
    add({ type: "step.ended", step, heardSeq: 2, text: `Turn ${step}`, calls, finish: "tool_calls", usage });
    add({ type: "call.started", callId, attempt: 1 });
    const model = [{ type: "text", text: "src/a.ts:1:const x = 1;\n".repeat(20) }];
    add({ type: "call.settled", callId, outcome: "ok", model, effects: [], ms: 5, terminate: false });
  }
  add({ type: "run.ended", reason: "end_turn", summary: "The end." });
  writeFileSync(join(runs, `${runId}.jsonl`), `${lines.join("\n")}\n`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
