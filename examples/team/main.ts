// Starts two workers and a console as processes, an agent with a scripted model here, and a person who approves.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startRun } from "@haft/agent";
import { openAiModel } from "@haft/agent/openai";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { decideApproval, pendingApprovals, teamStatus } from "@haft/core/calls";
import { postgresStore } from "@haft/store-postgres";
import { remoteRuntime } from "@haft/worker/remote";
import { parseAllDocuments } from "yaml";
import { noPostgres, startPostgres } from "../../tooling/testing/start-postgres.js";

checkManifests();
const missing = process.env.HAFT_STORE === undefined ? noPostgres() : undefined;
if (missing === undefined) await runTeam();
else console.log(`The manifests are well-formed. The team did not run: ${missing}.`);

async function runTeam(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "haft-team-"));
  const root = join(folder, "root");
  mkdirSync(join(root, "shop"), { recursive: true });
  writeFileSync(join(root, "shop/price.txt"), "10\n");
  const server = process.env.HAFT_STORE === undefined ? await startPostgres() : undefined;
  const url = process.env.HAFT_STORE ?? server?.url ?? "";
  const store = postgresStore(url);
  const parts: ChildProcess[] = [];
  const start = (...args: readonly string[]) => {
    const env = { ...process.env, HAFT_STORE: url, XDG_STATE_HOME: join(folder, "state") };
    const child = spawn(process.execPath, [haft(), ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    parts.push(child);
    return child;
  };
  try {
    await store.migrate();
    await store.members.put({ tenant: "default", id: "ann", rights: ["approve"] });
    start("worker", "--root", root, "--role", "coder");
    start("worker", "--root", root, "--role", "coder");
    const link = await printed(start("console", "--port", "0"), /http:\/\/\S+/);
    const opened = await fetch(link, { redirect: "manual" });
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    assert.equal((await fetch(new URL("/", link), { headers: { cookie } })).status, 200);

    const text = await agentRaisesPrice(store);
    assert.equal(text, "Done.");
    assert.equal(readFileSync(join(root, "shop/price.txt"), "utf8"), "12\n");
    const { workers, calls } = await teamStatus(store, { tenant: "default" });
    assert.equal(workers.length > 0, true);
    assert.equal(calls.awaiting_approval + calls.running, 0);
    assert.equal((await store.audit("default").verify()).intact, true);
    console.log("The agent asked, ann approved on another machine, a worker wrote the file.");
  } finally {
    await Promise.all(parts.map(stop));
    await store.close();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The agent's process does not know where the files are. */
async function agentRaisesPrice(store: ReturnType<typeof postgresStore>): Promise<string> {
  await using script = await startScriptedModel([
    { calls: [{ name: "read_file", args: { path: "price.txt" } }] },
    { calls: [{ name: "write_file", args: { path: "price.txt", content: "12\n" } }] },
    { text: "Done." },
  ]);
  await using runtime = await remoteRuntime({ workspace: "shop", store, connectMs: 45_000 });
  const model = openAiModel({ baseUrl: script.url, model: "scripted" });
  const run = startRun({ task: "Raise the price to 12.", system: "You keep a shop.", runtime, model });
  let isOver = false;
  const approving = (async () => {
    while (!isOver) {
      for (const { request } of await pendingApprovals(store, "default"))
        await decideApproval(
          store,
          { tenant: "default", id: "ann" },
          { approvalId: request.stepId, answer: { approved: true } },
        );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const { reason } = await run.done;
  isOver = true;
  await approving;
  return reason === "end_turn" ? "Done." : reason;
}

function checkManifests(): void {
  const [compose] = documents("compose.yaml");
  assert.deepEqual(Object.keys(compose.services), [
    "database",
    "migrate",
    "worker",
    "console",
    "console-port",
  ]);
  assert.deepEqual(compose.services.worker.command.slice(0, 2), ["worker", "--root"]);
  assert.match(compose.services.worker.environment.HAFT_STORE, /^postgres:\/\//);
  // The published port is the one socat listens on; it forwards to the console's own port.
  const [published] = compose.services.console.ports;
  const [, listening, consolePort] = /^127\.0\.0\.1:(\d+):(\d+)$/.exec(published) ?? [];
  const [, from, to] = compose.services["console-port"].entrypoint;
  assert.match(from, new RegExp(`^TCP-LISTEN:${consolePort},`));
  assert.equal(to, `TCP:127.0.0.1:${listening}`);
  assert.deepEqual(compose.services.console.command, ["console", "--port", listening]);
  const kinds = documents("kubernetes.yaml").map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
  assert.deepEqual(kinds, [
    "batch/v1 Job",
    "v1 PersistentVolumeClaim",
    "apps/v1 Deployment",
    "apps/v1 Deployment",
  ]);
  const worker = documents("kubernetes.yaml")[2].spec.template.spec;
  assert.equal(worker.containers[0].args[0], "worker");
  assert.equal(worker.securityContext.runAsNonRoot, true);
}

// biome-ignore lint/suspicious/noExplicitAny: a manifest has no type here; the assertions read what they need.
function documents(file: string): any[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS();
  });
}

function haft(): string {
  const found = createRequire(import.meta.url).resolve("@haft/cli/package.json");
  return join(dirname(found), "bin/haft.js");
}

function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: unknown) => {
      text += String(chunk);
      const [found] = pattern.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`it ended: ${text}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}
