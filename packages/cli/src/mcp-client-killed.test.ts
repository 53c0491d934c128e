import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { liveProcesses } from "../../../tooling/testing/live-processes.js";
import { BIN } from "./fixtures/run-haft.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

vi.setConfig({ testTimeout: 60_000 });

/** Takes about one second on a quiet machine; a client that only stopped talking gets ten. */
const MAX_LEFT_MS = 6_000;
let workspace: ReturnType<typeof temporaryWorkspace>;
let client: ChildProcess | undefined;
beforeEach(() => {
  workspace = temporaryWorkspace({ "a.txt": "old\n" });
});
afterEach(() => {
  client?.kill("SIGKILL");
  workspace.remove();
});

/** A client that makes one call and waits for its answer. */
const CLIENT = `
const { spawn } = require("node:child_process");
const [bin, folder, ...rest] = process.argv.slice(1);
const call = JSON.parse(rest.pop());
const server = spawn(process.execPath, [bin, "mcp", "--workspace", folder, "--approve", "all", ...rest], { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } } });
server.stdout.once("data", () => {
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: call });
});
`;

async function until(isTrue: () => boolean, withinMs: number): Promise<number> {
  const startedAt = performance.now();
  while (!isTrue() && performance.now() - startedAt < withinMs) await delay(50);
  return performance.now() - startedAt;
}

describe.skipIf(process.platform !== "linux")(
  "haft mcp whose client is killed in the middle of a call",
  () => {
    it.each([
      [
        "a command",
        "2971.5",
        (time: string) => ({ name: "execute_command", arguments: { command: `sleep ${time}` } }),
      ],
      [
        "code",
        "2972.5",
        (time: string) => ({ name: "run_code", arguments: { language: "bash", code: `sleep ${time}` } }),
      ],
    ])("D31 nobody is left: neither the server nor %s", async (_what, time, call) => {
      const args = ["-e", CLIENT, BIN, workspace.folder, JSON.stringify(call(time))];
      client = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
      await until(() => liveProcesses(`sleep\0${time}`).length > 0, 30_000);
      expect(liveProcesses(`sleep\0${time}`)).not.toEqual([]);
      client.kill("SIGKILL");
      const leftMs = await until(
        () => liveProcesses(`sleep\0${time}`).length + liveProcesses(workspace.folder).length === 0,
        20_000,
      );
      expect(leftMs).toBeLessThan(MAX_LEFT_MS);
    });
  },
);
