import { existsSync } from "node:fs";
import type { CommandRun, ProcessRunner } from "@haft/core/capabilities";
import { describe, expect, it } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

/** A host's own runner without a box, although the machine has one. */
function ownRunner() {
  const started: string[] = [];
  const output = { stdout: "", stderr: "", timedOut: false, leftBehind: false };
  const processes = {
    open: async () => {
      started.push("open");
      return { pipe: async () => ({ exitCode: 0 }), close: async () => output } as unknown as CommandRun;
    },
    run: async () => {
      started.push("run");
      throw new Error("nothing asks for this");
    },
  } as unknown as ProcessRunner;
  return { started, processes };
}

describe.skipIf(noBox)("FE5 a process runner without a box", () => {
  it.each([
    { command: "node -e 1" },
    { command: "node -e 1", background: true },
    { command: "npm install" },
    { command: "curl https://example.com/", network: true },
  ])("does not receive %j, which was judged for the box", async (args) => {
    const { started, processes } = ownRunner();
    await using world = await openExecWorld(
      { "package.json": '{"name":"app"}' },
      {
        tools: [ExecuteCommand],
        capabilities: { processes },
        commands: { onUnlisted: "box" },
        approver: async () => ({ approved: true }),
        env: { PATH: process.env.PATH, HOME: "/nonexistent" },
      },
    );
    const result = await world.call("execute_command", args);
    expect(result).toMatchObject({ ok: false, error: { code: "SANDBOX_UNAVAILABLE" } });
    expect(started).toEqual([]);
  });
});
