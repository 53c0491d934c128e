// Starts a PostgreSQL server and a Redis server that sync every commit to disk before they acknowledge it.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { bundle } from "../../packages/runtime-node/test-support/bundle.mjs";

/** `redisPort` is undefined where redis-server is not installed. */
export async function startServers(folder) {
  mkdirSync(folder, { recursive: true });
  const source = new URL("../../tooling/testing/start-postgres.ts", import.meta.url).pathname;
  const { noPostgres, startPostgres } = await import(await bundle(source, join(folder, "program")));
  const missing = noPostgres();
  if (missing !== undefined) throw new Error(missing);
  const postgres = await startPostgres();
  const redis = hasRedis() ? await startRedis(join(folder, "redis")) : undefined;
  return {
    postgresUrl: postgres.url,
    redisPort: redis?.port,
    stop: async () => {
      await redis?.stop();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

function hasRedis() {
  return (process.env.PATH ?? "").split(":").some((each) => existsSync(join(each, "redis-server")));
}

async function startRedis(directory) {
  mkdirSync(directory);
  const port = await freePort();
  const settings = {
    port,
    dir: directory,
    bind: "127.0.0.1",
    save: "",
    appendonly: "yes",
    appendfsync: "always",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn("redis-server", args, { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!answers(port)) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function answers(port) {
  try {
    return String(execFileSync("redis-cli", ["-p", String(port), "ping"], { stdio: "pipe" })).includes(
      "PONG",
    );
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
