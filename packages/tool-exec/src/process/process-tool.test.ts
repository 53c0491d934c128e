import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolSuccess } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "../execute-command/execute-command-tool.js";
import type { ProcessResult } from "./process-schema.js";
import { Process } from "./process-tool.js";

const files = { "a.txt": "one\n" };
const tools = [ExecuteCommand, Process];
let world: ExecWorld;

beforeEach(async () => {
  world = await openExecWorld(files, { tools, approver: async () => ({ approved: true }) });
});
afterEach(() => world[Symbol.asyncDispose]());

async function start(command: string): Promise<string> {
  const result = await world.call("execute_command", { command, background: true });
  if (!result.ok) throw new Error(result.text);
  return (result.value as { processId: string }).processId;
}

async function ask(args: object): Promise<ToolSuccess<ProcessResult>> {
  const result = await world.call("process", args);
  if (!result.ok) throw new Error(result.text);
  return result as ToolSuccess<ProcessResult>;
}

describe.skipIf(process.platform !== "linux")("process", () => {
  it("starts a command, lists it, reads new output, and waits for its end", async () => {
    const id = await start("echo first && sleep 2 && echo second");
    const list = await ask({ action: "list" });
    expect(list.value.processes).toMatchObject([{ id, running: true }]);
    expect(list.text).toContain("running");
    let first = "";
    await vi.waitFor(async () => {
      first += (await ask({ action: "read", id })).value.output;
      expect(first).toBe("first\n");
    }, 5_000);
    const waited = await ask({ action: "wait", id, wait_ms: 10_000 });
    expect(waited.value).toMatchObject({
      output: "second\n",
      processes: [{ running: false, exitCode: 0, stdoutBytes: 13 }],
    });
    expect((await ask({ action: "read", id })).text).toContain("no new output");
  });

  it("sends input to a program after approval", async () => {
    const id = await start("head -n 1");
    const typed = await ask({ action: "write", id, input: "hello\n", wait_ms: 5_000 });
    expect(typed.value).toMatchObject({ output: "hello\n", processes: [{ exitCode: 0 }] });
    expect(await world.call("process", { action: "write", id, input: "x" })).toMatchObject({
      error: { code: "EXECUTION_ERROR" },
    });
    await using strict = await openExecWorld(files, { tools });
    await strict.call("execute_command", { command: "head -n 1", background: true });
    expect(await strict.call("process", { action: "write", id: "p1", input: "x" })).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
  });

  it("kills a command with everything it started", async () => {
    const id = await start("sleep 66.25 | sleep 66.25");
    await vi.waitFor(() => expect(liveProcesses("66.25").length).toBeGreaterThanOrEqual(2), 5_000);
    expect((await ask({ action: "kill", id })).value.processes).toMatchObject([{ running: false }]);
    expect(liveProcesses("66.25")).toEqual([]);
  });

  it("a background command is judged like any other", async () => {
    expect(await world.call("execute_command", { command: "touch x", background: true })).toMatchObject({
      error: { code: "COMMAND_DENIED" },
    });
  });

  it("lists the existing commands if the id is unknown", async () => {
    expect(await world.call("process", { action: "read", id: "p9" })).toMatchObject({
      error: { code: "PROCESS_NOT_FOUND" },
    });
    expect(await world.call("process", { action: "read" })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect((await ask({ action: "list" })).text).toContain("No command runs");
  });

  it("FE2 sees the current workspace, and writes only to shared and temporary folders", async () => {
    await using own = await openExecWorld(
      { "a.txt": "one\n", ".gitignore": "dist/\n", "dist/old": "x", ".git/HEAD": "ref: refs/heads/main\n" },
      { tools, approver: async () => ({ approved: true }), commands: { onUnlisted: "ask" } },
    );
    const command = `cat ${own.root}/state/x $HOME/.npmrc; cat a.txt; echo no > a.txt; echo out > dist/new; echo t > /tmp/t && cat /tmp/t; curl -s http://127.0.0.1:9; sleep 1; cat later.txt`;
    const started = await own.call("execute_command", { command, background: true });
    expect(started).toMatchObject({ ok: true });
    own.write("later.txt", "later\n");
    const ended = await own.call("process", { action: "wait", id: "p1", wait_ms: 10_000 });
    expect(ended.text).toContain("one\n");
    expect(ended.text).toContain("Read-only file system");
    expect(ended.text).toMatch(/later$/);
    expect(readFileSync(join(own.workspace, "a.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(join(own.workspace, "dist/new"), "utf8")).toBe("out\n");
    expect(await own.runtime.changes()).toEqual([]);
  }, 20_000);

  it("no command outlives the runtime", async () => {
    const own = await openExecWorld(files, { tools });
    await own.call("execute_command", { command: "sleep 67.25", background: true });
    const running = own.call("execute_command", { command: "sleep 67.25" });
    // The box has its own processes around the command.
    await vi.waitFor(() => expect(liveProcesses("67.25").length).toBeGreaterThanOrEqual(4), 5_000);
    await own[Symbol.asyncDispose]();
    await running;
    expect(liveProcesses("67.25")).toEqual([]);
  });
});
