import { setTimeout as delay } from "node:timers/promises";
import type { ToolSuccess } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommandTool } from "../execute-command/execute-command-tool.js";
import type { ProcessResult } from "./process-schema.js";
import { ProcessTool } from "./process-tool.js";

const files = { "a.txt": "one\n" };
const tools = [ExecuteCommandTool, ProcessTool];
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
  it("starts a command, lists it, reads what is new, waits for its end", async () => {
    const id = await start("echo first && sleep 0.6 && echo second");
    const list = await ask({ action: "list" });
    expect(list.value.processes).toMatchObject([{ id, running: true }]);
    expect(list.text).toContain("running");
    await delay(300);
    expect((await ask({ action: "read", id })).value.output).toBe("first\n");
    const waited = await ask({ action: "wait", id, wait_ms: 10_000 });
    expect(waited.value).toMatchObject({
      output: "second\n",
      processes: [{ running: false, exitCode: 0, stdoutBytes: 13 }],
    });
    expect((await ask({ action: "read", id })).text).toContain("no new output");
  });

  it("types into a program, once that was approved", async () => {
    const id = await start("head -n 1");
    const typed = await ask({ action: "write", id, input: "hello\n", wait_ms: 5_000 });
    expect(typed.value).toMatchObject({ output: "hello\n", processes: [{ exitCode: 0 }] });
    expect(await world.call("process", { action: "write", id, input: "x" })).toMatchObject({
      error: { code: "EXECUTION_ERROR" },
    });
    await using strict = await openExecWorld(files, { tools });
    expect(await strict.call("process", { action: "write", id: "p1", input: "x" })).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
  });

  it("kills a command with everything it started", async () => {
    const id = await start("sleep 66.25 | sleep 66.25");
    await delay(200);
    expect(liveProcesses("66.25")).toHaveLength(2);
    expect((await ask({ action: "kill", id })).value.processes).toMatchObject([{ running: false }]);
    expect(liveProcesses("66.25")).toEqual([]);
  });

  it("a background command is judged like any other", async () => {
    expect(await world.call("execute_command", { command: "touch x", background: true })).toMatchObject({
      error: { code: "COMMAND_DENIED" },
    });
  });

  it("says which commands there are when one is not", async () => {
    expect(await world.call("process", { action: "read", id: "p9" })).toMatchObject({
      error: { code: "PROCESS_NOT_FOUND" },
    });
    expect(await world.call("process", { action: "read" })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect((await ask({ action: "list" })).text).toContain("Nothing runs");
  });

  it("nothing outlives the runtime", async () => {
    const own = await openExecWorld(files, { tools });
    await own.call("execute_command", { command: "sleep 67.25", background: true });
    const running = own.call("execute_command", { command: "sleep 67.25" });
    await delay(300);
    expect(liveProcesses("67.25")).toHaveLength(2);
    await own[Symbol.asyncDispose]();
    await running;
    expect(liveProcesses("67.25")).toEqual([]);
  });
});
