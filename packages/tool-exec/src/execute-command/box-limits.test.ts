import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ToolSuccess } from "@haft/core";
import { describe, expect, it, vi } from "vitest";
import { liveProcesses } from "../../../../tooling/testing/live-processes.js";
import { openExecWorld } from "../exec.fixture.js";
import { Process } from "../process/process-tool.js";
import { RunCode } from "../run-code/run-code-tool.js";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";
import { treeOf } from "./undo-commands.fixture.js";

const tools = [ExecuteCommand, RunCode];
const approver = async () => ({ approved: true });
const inBox = { onUnlisted: "box" } as const;
const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

describe.skipIf(noBox)("the limits of the box", () => {
  it.each([
    ["a name with =", { "A=B": "x" }],
    ["an empty name", { "": "x" }],
    ["a name with a space", { "A B": "x" }],
    ["a name with NUL", { "A\0": "x" }],
    ["a value with NUL", { A: "x\0y" }],
  ])("FE21 refuses %s among the variables", async (_what, env) => {
    await using own = await openExecWorld({}, { tools, approver, commands: inBox });
    const results = [
      await own.call("execute_command", { command: "touch made", env }),
      await own.call("run_code", { language: "bash", code: "touch made", env }),
    ];
    for (const result of results) expect(result).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
    expect(existsSync(join(own.workspace, "made"))).toBe(false);
  });

  it("FE21 refuses code and commands with NUL", async () => {
    await using own = await openExecWorld({}, { tools, approver, commands: inBox });
    for (const [tool, args] of [
      ["run_code", { language: "bash", code: "echo a\0b" }],
      ["execute_command", { command: "echo a\0b" }],
      ["execute_command", { command: ["echo", "a\0b"] }],
    ] as const)
      expect(await own.call(tool, args)).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
  });

  it("FE21 cover the memory of all processes of a command together", async () => {
    const sandbox = { memoryMb: 300 };
    await using own = await openExecWorld({}, { tools, approver, sandbox, commands: inBox });
    const one = `python3 -c "x = bytearray(200 * 1024 * 1024); import time; time.sleep(3); print(len(x))"`;
    const result = await own.call("execute_command", { command: `${one} & ${one} & wait`, timeout: 20 });
    const value = result.ok ? (result.value as ExecuteCommandResult) : undefined;
    expect(value?.limitHit).toBe("memory");
    expect(result.text).toContain("memory");
  }, 30_000);

  it("FE21 cover the processor time of all processes together", async () => {
    const sandbox = { cpuSeconds: 2 };
    await using own = await openExecWorld({}, { tools, sandbox });
    const code = "for i in 1 2 3 4; do (ulimit -t 1; while :; do :; done) & done; wait; echo done";
    const result = await own.call("run_code", { language: "bash", code, timeout: 30 });
    expect(result).toMatchObject({ ok: true, value: { limitHit: "cpu" } });
  }, 40_000);

  it("FE21 beyond 2,000 changes or 20 MiB apply nothing, with a message", async () => {
    await using own = await openExecWorld({ "a.txt": "one\n" }, { tools, approver, commands: inBox });
    for (const [command, why, notApplied] of [
      ["for i in $(seq 2100); do : > f$i; done", "more than 2000 changes", /^create f\d+$/],
      [
        "echo x > a.txt; head -c 22000000 /dev/zero > big",
        "with big they exceed the limit of 20 MiB",
        /^create big$/,
      ],
      [
        "echo x > a.txt; for i in 1 2 3; do head -c 8000000 /dev/zero > part$i; done",
        "with part3 they exceed the limit of 20 MiB",
        /^create part1$/,
      ],
    ] as const) {
      const result = await own.call("execute_command", { command });
      expect(result).toMatchObject({ ok: true, changes: [] });
      const told = (result as ToolSuccess<ExecuteCommandResult>).value.notApplied ?? [];
      const named = told.map(({ kind, path }) => `${kind} ${path}`);
      expect(
        named.some((each) => notApplied.test(each)),
        named.join(),
      ).toBe(true);
      expect(named.length).toBeLessThanOrEqual(100);
      expect(result.text).toContain("[NOT APPLIED: none of its file changes were applied]");
      expect(result.warnings.join()).toContain(`none of its file changes were applied: `);
      expect(result.warnings.join()).toContain(why);
      expect(readdirSync(own.workspace)).toEqual(["a.txt"]);
      expect(readFileSync(join(own.workspace, "a.txt"), "utf8")).toBe("one\n");
    }
  }, 60_000);

  it("FE21 count no content that stays the same: large files and folders of many files can be moved", async () => {
    await using own = await openExecWorld({ "a.txt": "one\n" }, { tools, approver, commands: inBox });
    for (const name of ["big.bin", "kept.bin"]) own.write(name, "b".repeat(25_000_000));
    for (let at = 0; at < 2_500; at += 1) own.write(`many/${at % 50}/${at}`, `${at}`);
    const before = treeOf(own.workspace);
    const command = "touch kept.bin; mkdir -p deep/er; mv big.bin deep/er/; mv many lots; echo two > a.txt";
    const result = await own.call("execute_command", { command });
    expect(result, result.text).toMatchObject({ ok: true, warnings: [] });
    expect((result as ToolSuccess).changes.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "create deep",
      "create deep/er",
      "modify a.txt",
      "move deep/er/big.bin",
      "move lots",
    ]);
    expect(statSync(join(own.workspace, "deep/er/big.bin")).size).toBe(25_000_000);
    await own.runtime.undo();
    expect(treeOf(own.workspace)).toEqual(before);
  }, 60_000);

  it("FE21 leave no tree behind, of any depth or size, without blocking the thread", async () => {
    await using own = await openExecWorld({}, { tools, approver, commands: inBox });
    let longestMs = 0;
    let before = ownTimeMs();
    const watch = setInterval(() => {
      longestMs = Math.max(longestMs, ownTimeMs() - before);
      before = ownTimeMs();
    }, 10);
    const deep = `import os\nfor i in range(3000):\n  os.mkdir("d" * 20); os.chdir("d" * 20)\nos.chmod(".", 0)`;
    expect(await own.call("run_code", { language: "python", code: deep, timeout: 60 })).toMatchObject({
      ok: true,
    });
    const many = "import os\nfor i in range(60000):\n  open(f'f{i}', 'w').close()";
    expect(await own.call("run_code", { language: "python", code: many, timeout: 60 })).toMatchObject({
      ok: true,
    });
    const left = join(own.root, "state/sandbox");
    await vi.waitFor(() => expect(readdirSync(left)).toEqual([]), { timeout: 30_000, interval: 100 });
    clearInterval(watch);
    expect(longestMs).toBeLessThan(2_000);
  }, 120_000);

  it("FE21 run at most the configured number of boxes at once", async () => {
    const sandbox = { boxes: 3 };
    await using own = await openExecWorld({}, { tools, sandbox });
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, liveProcesses("0.0573").length);
    }, 10);
    const code = "sleep 0.0573";
    const calls = Array.from({ length: 100 }, () =>
      own.call("run_code", { language: "bash", code, timeout: 60 }),
    );
    const results = await Promise.all(calls);
    clearInterval(watch);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(3);
  }, 120_000);

  it("FE21 run no more boxes than configured for 100 background commands, and reserve one for the foreground", async () => {
    const sandbox = { boxes: 3 };
    await using own = await openExecWorld(
      {},
      { tools: [...tools, Process], sandbox, approver, commands: inBox },
    );
    const args = { command: "sleep 77.0573", background: true };
    const results = await Promise.all(Array.from({ length: 100 }, () => own.call("execute_command", args)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(2);
    for (const result of results.filter(({ ok }) => !ok))
      expect(result).toMatchObject({ error: { code: "LIMIT_EXCEEDED", next: { tool: "process" } } });
    await vi.waitFor(() => expect(liveProcesses("77.0573").filter(isSleep)).toHaveLength(2), 20_000);
    expect(await own.call("execute_command", { command: "echo free" })).toMatchObject({ ok: true });
  }, 120_000);

  it("FE21 follow the configuration", async () => {
    await using own = await openExecWorld(
      {},
      { tools, sandbox: { processes: 20 }, commands: inBox, approver },
    );
    const command = "for i in $(seq 60); do sleep 2 & done; wait";
    const { value } = (await own.call("execute_command", { command })) as ToolSuccess<ExecuteCommandResult>;
    expect(value.limitHit).toBe("pids");
  }, 30_000);
});

/** Returns wall time without the time in which this thread waited for a processor. */
function ownTimeMs(): number {
  const file = "/proc/thread-self/schedstat";
  const [, waitedNs = 0] = existsSync(file) ? readFileSync(file, "utf8").split(" ").map(Number) : [];
  return performance.now() - waitedNs / 1e6;
}

function isSleep(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") === "sleep\n";
  } catch {
    return false;
  }
}
