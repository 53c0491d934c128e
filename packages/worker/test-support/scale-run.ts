import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { decideApproval, pendingApprovals } from "@haft/core/calls";
import { ANN, BOT, until } from "../src/fixtures/served-workspaces.js";
import { type RemoteRuntime, remoteRuntime } from "../src/remote/index.js";
import { throughOutages } from "./through-outages.js";
import { type WorkerChild, WorkerProcesses } from "./worker-processes.js";

export interface ScaleOptions {
  readonly agents: number;
  readonly seconds: number;
  readonly leaseMs: number;
}

export interface ScaleResult {
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** How long one call of a small tenant took behind 1,000 queued calls of another; the slowest of several. */
  readonly slowestSmallTenantMs: number;
  readonly kills: number;
  /** From the kill until every workspace has a live holder. */
  readonly slowestTakeoverMs: number;
  readonly doubledEffects: number;
  /** Calls that were reported as done, but were not. */
  readonly lostEffects: number;
  readonly unsettled: number;
  readonly pendingApprovals: number;
}

const WORKSPACES = Array.from({ length: 20 }, (_, index) => `ws-${index}`);

/** Agents call without a pause, workers are killed at random, and one person approves. Counts everything at the end. */
export async function runScale({ agents, seconds, leaseMs }: ScaleOptions): Promise<ScaleResult> {
  await using processes = await WorkerProcesses.open([
    ...WORKSPACES.map((name) => `acme/${name}`),
    "small/ws",
  ]);
  const { store } = processes;
  await store.members.put({ ...ANN, rights: ["approve"] });
  await store.calls.limit({ tenant: "acme", maxRunning: 1_000 });
  const workers = [await processes.start({ leaseMs }), await processes.start({ leaseMs })];
  const runtimes = await Promise.all(
    WORKSPACES.map((workspace) => remoteRuntime({ workspace, store, principal: BOT })),
  );
  const slowestSmallTenantMs = await measureFairness(processes);
  const over = new AbortController();
  const startedAt = performance.now();
  const made: MadeCall[] = [];
  const people = approveAll(processes, over.signal);
  const killing = killAtRandom(processes, workers, { leaseMs, signal: over.signal });
  const working = Array.from({ length: agents }, (_, agent) => {
    const place = agent % WORKSPACES.length;
    const runtime = runtimes[place] as RemoteRuntime;
    const log = join(processes.folder, `log-${place}`);
    return work({ agent, runtime, log, made, until: startedAt + seconds * 1_000 });
  });
  await Promise.all(working);
  const tookS = (performance.now() - startedAt) / 1_000;
  over.abort();
  const takeovers = await killing;
  await people;
  const { tenants } = await throughOutages(() => store.calls.overview({ tenant: "acme" }));
  const result = {
    ...counted(made, processes.folder),
    callsPerSecond: Math.round(made.length / tookS),
    slowestSmallTenantMs,
    kills: takeovers.length,
    slowestTakeoverMs: Math.round(Math.max(0, ...takeovers)),
    unsettled: tenants.flatMap(({ calls }) => Object.values(calls)).reduce((sum, n) => sum + n, 0),
    pendingApprovals: (await throughOutages(() => pendingApprovals(store, "acme"))).length,
  };
  await Promise.all(runtimes.map((runtime) => runtime.dispose()));
  return result;
}

const BACKLOG = 1_000;
const SUBMITS_AT_ONCE = 50;

/** One tenant queues a thousand calls; another makes one after the other until they are done. */
async function measureFairness({ store, folder }: WorkerProcesses): Promise<number> {
  const small = { tenant: "small", id: "bot" };
  await using runtime = await remoteRuntime({ workspace: "ws", store, principal: small });
  const submit = (nth: number) => {
    const place = nth % WORKSPACES.length;
    const args = { log: join(folder, `log-${place}`), line: `backlog-${nth}`, after_ms: 20 };
    const key = { tenant: "acme", workspace: WORKSPACES[place] as string, callId: `backlog-${nth}` };
    const call = { ...key, tool: "appends", args, principal: "bot", session: "backlog" };
    return throughOutages(() => store.calls.submit(call));
  };
  for (let from = 0; from < BACKLOG; from += SUBMITS_AT_ONCE)
    await Promise.all(Array.from({ length: SUBMITS_AT_ONCE }, (_, nth) => submit(from + nth)));
  const isBusy = async () =>
    (await throughOutages(() => store.calls.list({ tenant: "acme", limit: 1 }))).length > 0;
  let slowestMs = 0;
  for (let nth = 0; await isBusy(); nth += 1) {
    const since = performance.now();
    await runtime.call("appends", { log: join(folder, "small"), line: `${nth}` });
    slowestMs = Math.max(slowestMs, performance.now() - since);
  }
  return Math.round(slowestMs);
}

interface MadeCall {
  readonly line: string;
  readonly outcome: string;
  readonly ms: number;
  readonly hasEffect: boolean;
}

interface Agent {
  readonly agent: number;
  readonly runtime: RemoteRuntime;
  readonly log: string;
  readonly made: MadeCall[];
  readonly until: number;
}

async function work({ agent, runtime, log, made, until: endAt }: Agent): Promise<void> {
  for (let nth = 0; performance.now() < endAt; nth += 1) {
    const line = `${agent}-${nth}`;
    const since = performance.now();
    const isWrite = nth % 20 === 19;
    const [tool, args] = isWrite
      ? ["write_file", { path: `${line}.txt`, content: line }]
      : ["appends", { log, line, after_ms: Math.floor(Math.random() * 30) }];
    let result = await runtime.call(tool, args, { callId: line });
    // It may have been stored: made again with its id, it is stored once.
    while (!result.ok && result.error.code === "STORE_UNAVAILABLE")
      result = await runtime.call(tool, args, { callId: line });
    const outcome = result.ok ? "ok" : result.error.code;
    made.push({ line, outcome, ms: performance.now() - since, hasEffect: !isWrite });
  }
}

function counted(made: readonly MadeCall[], folder: string) {
  const lines = WORKSPACES.flatMap((_, place) => linesOf(join(folder, `log-${place}`)));
  const written = new Set(lines);
  const outcomes: Record<string, number> = {};
  for (const { outcome } of made) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const times = made.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  return {
    calls: made.length,
    outcomes,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    doubledEffects: lines.length - written.size,
    lostEffects: made.filter(
      ({ hasEffect, outcome, line }) => hasEffect && outcome === "ok" && !written.has(line),
    ).length,
  };
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

async function approveAll({ store }: WorkerProcesses, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { request } of await throughOutages(() => pendingApprovals(store, "acme"))) {
      const decision = { approvalId: request.stepId, answer: { approved: true } };
      // A worker that was lost may have asked twice; the first answer counts.
      await decideApproval(store, ANN, decision).catch(() => {});
    }
    await sleep(100);
  }
}

interface Killing {
  readonly leaseMs: number;
  readonly signal: AbortSignal;
}

/** Kills one worker after the other and restarts it. Returns how long each takeover took. */
async function killAtRandom(
  processes: WorkerProcesses,
  workers: WorkerChild[],
  { leaseMs, signal }: Killing,
): Promise<readonly number[]> {
  const takeovers: number[] = [];
  while (!signal.aborted) {
    await sleep(1_000 + Math.random() * leaseMs);
    if (signal.aborted) break;
    const index = Math.floor(Math.random() * workers.length);
    const victim = workers[index] as WorkerChild;
    victim.process.kill("SIGKILL");
    const since = performance.now();
    workers[index] = await processes.start({ leaseMs });
    await until(async () => {
      const { workspaces } = await throughOutages(() => processes.store.calls.overview({ tenant: "acme" }));
      return workspaces.every(({ worker }) => worker !== undefined && worker !== victim.workerId);
    });
    takeovers.push(performance.now() - since);
  }
  return takeovers;
}
