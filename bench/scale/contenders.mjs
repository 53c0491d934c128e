// The contenders. Each returns `call(line)`, which resolves when the line is appended and its record is durable.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createNodeRuntime } from "@haft/runtime-node";
import { Appends } from "@haft/testing/crash-tools";
import { loadPeer } from "./peers.mjs";

/** Haft: a remote runtime in this process and one worker process. */
export async function openHaft({ root, log, servers }) {
  const { postgresStore } = await import(
    new URL("../../packages/store-postgres/dist/index.js", import.meta.url)
  );
  const { remoteRuntime } = await import(new URL("../../packages/worker/dist/remote.js", import.meta.url));
  const store = postgresStore(servers.postgresUrl);
  await store.migrate();
  const stopWorker = await startWorker("./haft-worker.mjs", { root, url: servers.postgresUrl });
  const runtime = await remoteRuntime({ workspace: "ws", store });
  return {
    call: async (line) => mustBeOk(await runtime.call("appends", { log, line })),
    close: async () => {
      await runtime.dispose();
      await stopWorker();
      await store.close();
    },
  };
}

/** DBOS: a workflow with one step in this process; it needs no other. */
export async function openDbos({ log, servers }) {
  const { module, skipped } = await loadPeer("@dbos-inc/dbos-sdk");
  if (skipped !== undefined) return { skipped };
  const { DBOS } = module;
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: servers.postgresUrl, logLevel: "error" });
  const work = DBOS.registerWorkflow(
    (line) => DBOS.runStep(async () => appendFileSync(log, `${line}\n`), { name: "append" }),
    { name: "work" },
  );
  await DBOS.launch();
  return { call: (line) => work(line), close: () => DBOS.shutdown() };
}

/** BullMQ: a queue in this process and one worker process, over a Redis server that syncs every write. */
export async function openBullmq({ log, servers }) {
  if (servers.redisPort === undefined) return { skipped: "no redis-server (apt-get install redis-server)" };
  const { module, skipped, entry } = await loadPeer("bullmq");
  if (skipped !== undefined) return { skipped };
  const { Queue, QueueEvents } = module;
  const connection = { host: "127.0.0.1", port: servers.redisPort };
  const stopWorker = await startWorker("./bullmq-worker.mjs", { entry, connection, log });
  const queue = new Queue("bench", { connection });
  const events = new QueueEvents("bench", { connection });
  // Every job in flight adds a listener.
  events.setMaxListeners(0);
  queue.setMaxListeners(0);
  await events.waitUntilReady();
  return {
    call: async (line) =>
      (await queue.add("append", { line }, { jobId: randomUUID() })).waitUntilFinished(events),
    close: async () => {
      await events.close();
      await queue.close();
      await stopWorker();
    },
  };
}

/** Haft embedded: the runtime in this process, with its files and no database. */
export async function openEmbedded({ root, log }) {
  const runtime = await createNodeRuntime({
    workspace: `${root}/ws`,
    stateDirectory: `${root}/state`,
    tools: [Appends],
  });
  return {
    call: async (line) => mustBeOk(await runtime.call("appends", { log, line })),
    close: () => runtime.dispose(),
  };
}

function mustBeOk(result) {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
}

/** Starts a worker, waits until it reports that it is ready, and returns a function that stops it. */
async function startWorker(script, options) {
  const path = new URL(script, import.meta.url).pathname;
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(process.execPath, [path, JSON.stringify(options)], { stdio });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
}
