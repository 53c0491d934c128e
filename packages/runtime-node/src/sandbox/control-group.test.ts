import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ControlGroups, killMembers } from "./control-group.js";
import { sandboxLimits } from "./sandbox-limits.js";

const probe = new ControlGroups().create(sandboxLimits());
const canCreate = probe.joinFiles.length > 0;
await probe.remove();

let groups: ControlGroups;
beforeEach(() => {
  groups = new ControlGroups();
});
afterEach(() => groups.close());

describe.skipIf(!canCreate)("ControlGroups", () => {
  it("FE21 serves the next run with the same limits, and no two at once", async () => {
    const first = groups.create(sandboxLimits());
    const other = groups.create(sandboxLimits());
    expect(other.joinFiles).not.toEqual(first.joinFiles);
    await first.remove();
    const next = groups.create(sandboxLimits());
    expect(next.joinFiles).toEqual(first.joinFiles);
    const third = groups.create(sandboxLimits({ processes: 7 }));
    expect(third.joinFiles).not.toEqual(first.joinFiles);
    for (const group of [other, next, third]) await group.remove();
  });

  it("FE21 ends only its own run: releasing a group twice does not affect its next run", async () => {
    const first = groups.create(sandboxLimits());
    await first.remove();
    const next = groups.create(sandboxLimits());
    const sleeper = spawn("sleep", ["30"], { stdio: "ignore" });
    const ended = new Promise((resolve) => sleeper.once("exit", (_code, signal) => resolve(signal)));
    for (const file of next.joinFiles) writeFileSync(file, String(sleeper.pid));
    await first.remove();
    expect(sleeper.exitCode ?? sleeper.signalCode).toBeNull();
    expect(process.kill(sleeper.pid ?? 0, 0)).toBe(true);
    await next.remove();
    expect(await ended).toBe("SIGKILL");
  });

  it("FE21 does not reuse a group that a process has joined meanwhile", async () => {
    const first = groups.create(sandboxLimits());
    await first.remove();
    const sleeper = spawn("sleep", ["30"], { stdio: "ignore" });
    const ended = new Promise((resolve) => sleeper.once("exit", resolve));
    for (const file of first.joinFiles) writeFileSync(file, String(sleeper.pid));
    const next = groups.create(sandboxLimits());
    expect(next.joinFiles).not.toEqual(first.joinFiles);
    await next.remove();
    sleeper.kill("SIGKILL");
    await ended;
  });

  it("FE21 does not reuse a group of another sandbox", async () => {
    const other = new ControlGroups();
    const first = groups.create(sandboxLimits());
    await first.remove();
    const next = other.create(sandboxLimits());
    expect(next.joinFiles).not.toEqual(first.joinFiles);
    await next.remove();
    other.close();
  });

  it("leaves no group after its sandbox is disposed, or after a run that ends later", async () => {
    const group = groups.create(sandboxLimits());
    const late = groups.create(sandboxLimits());
    const folders = [group, late].flatMap(({ joinFiles }) => joinFiles.map(dirname));
    await group.remove();
    expect(folders.every((folder) => readdirSync(folder).length > 0)).toBe(true);
    groups.close();
    await late.remove();
    expect(folders.some(existsSync)).toBe(false);
  });
});

it("FE21 signals no process group for members that the kernel lists as 0", () => {
  const folder = mkdtempSync(join(tmpdir(), "haft-group-"));
  const file = join(folder, "cgroup.procs");
  writeFileSync(file, "0\n999999999\n0\n");
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  killMembers(file);
  expect(kill.mock.calls).toEqual([[999_999_999, "SIGKILL"]]);
  kill.mockRestore();
  rmSync(folder, { recursive: true });
});
