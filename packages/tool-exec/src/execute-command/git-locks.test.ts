import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

it.skipIf(noBox)(
  "FE21 a git command that is stopped leaves no lock file, so that the next one works",
  async () => {
    await using world = await openExecWorld(
      { "a.txt": "one\n", "large.bin": "" },
      {
        tools: [ExecuteCommand],
        approver: async () => ({ approved: true }),
        commands: { onUnlisted: "box" },
      },
    );
    spawnSync("git", ["init", "-q"], { cwd: world.workspace });
    // Hashing it takes git many seconds, with its index locked.
    truncateSync(join(world.workspace, "large.bin"), 20_000_000_000);
    const lock = join(world.workspace, ".git/index.lock");
    const command = "git add large.bin";
    const timedOut = await world.call("execute_command", { command, timeout: 2 });
    expect(timedOut).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    expect(existsSync(lock)).toBe(false);
    const cancelling = new AbortController();
    const call = world.call("execute_command", { command }, { signal: cancelling.signal });
    while (!existsSync(lock)) await delay(20);
    cancelling.abort();
    expect(await call).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    const locks = () => readdirSync(join(world.workspace, ".git")).filter((name) => name.endsWith(".lock"));
    await vi.waitFor(() => expect(locks()).toEqual([]), 5_000);
    const next = await world.call("execute_command", { command: "git add a.txt && git status --short" });
    expect(next, next.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(next.text).toContain("A  a.txt");
  },
  60_000,
);
