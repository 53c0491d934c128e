import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRequest, ToolSuccess } from "@haft/core";
import { describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "../execute-command/execute-command-tool.js";
import type { RunCodeResult } from "./run-code-schema.js";
import { RunCode } from "./run-code-tool.js";

const files = { "a.txt": "one\n", "b.txt": "two\n", "src/c.txt": "three\n", "package.json": "{}\n" };
const tools = [ExecuteCommand, RunCode];
const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

/** Both ways to run code, each with its arguments. */
const WAYS = [
  ["run_code", (text: string) => ({ language: "bash", code: text })],
  ["execute_command", (text: string) => ({ command: text })],
] as const;

async function withPerson(approved: boolean) {
  const asked: ApprovalRequest[] = [];
  const approver = async (request: ApprovalRequest) => {
    asked.push(request);
    return { approved };
  };
  const world = await openExecWorld(files, { tools, approver, commands: { onUnlisted: "box" } });
  return { world, asked };
}

const read = (world: ExecWorld, path: string) => readFileSync(join(world.workspace, path), "utf8");

describe.skipIf(noBox).each(WAYS)("changes left by %s", (tool, argsFor) => {
  it.each([
    ["new files", "echo x > n.txt; mkdir -p d/e; ln -s n.txt l; cp a.txt copy.txt"],
    ["moves onto free names", "mv a.txt moved.txt; mv src lib; mv b.txt lib/b.txt"],
    ["nothing", "cat a.txt; touch a.txt; for f in *; do :; done"],
  ])("FE1 need no approval: %s", async (_what, text) => {
    const { world, asked } = await withPerson(true);
    await using own = world;
    expect(await own.call(tool, argsFor(text))).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });

  it.each([
    ["a file that is modified", "echo x >> a.txt; echo new > n.txt"],
    ["a file that is deleted", "rm a.txt"],
    ["a folder that is deleted", "rm -rf src"],
    ["a move that overwrites", "mv a.txt b.txt"],
    ["a mode that is changed", "chmod 755 a.txt"],
    ["a protected path", "echo 'x:' > Makefile"],
  ])("FE1 prompt once, with all of them: %s", async (_what, text) => {
    const { world, asked } = await withPerson(false);
    await using own = world;
    const result = await own.call(tool, argsFor(`${text}; echo printed`));
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(result.text).toContain("printed");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.changes.length).toBeGreaterThan(0);
    expect([read(own, "a.txt"), read(own, "b.txt"), read(own, "src/c.txt")]).toEqual([
      "one\n",
      "two\n",
      "three\n",
    ]);
    expect(existsSync(join(own.workspace, "n.txt"))).toBe(false);
  });

  it("FE1 are applied after approval, and undone as one", async () => {
    const { world, asked } = await withPerson(true);
    await using own = world;
    const result = await own.call(tool, argsFor("echo x > a.txt; rm b.txt; mv src lib; echo n > n.txt"));
    expect(result).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    expect(read(own, "lib/c.txt")).toBe("three\n");
    await own.runtime.undo(result.callId);
    expect([read(own, "a.txt"), read(own, "b.txt"), read(own, "src/c.txt")]).toEqual([
      "one\n",
      "two\n",
      "three\n",
    ]);
    expect(existsSync(join(own.workspace, "n.txt"))).toBe(false);
  });
});

describe.skipIf(noBox)("without an approver", () => {
  it("FE1 applies no change that needs approval, including new files, and reports it", async () => {
    await using own = await openExecWorld(files, { tools });
    const code = "rm -rf src; echo x > n.txt; echo printed";
    const result = await own.call("run_code", { language: "bash", code });
    expect(result).toMatchObject({ ok: true, changes: [], value: { stdout: "printed\n", filesChanged: [] } });
    const { notApplied } = (result as ToolSuccess<RunCodeResult>).value;
    expect(notApplied?.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "create n.txt",
      "delete src",
    ]);
    expect(result.warnings.join()).toContain("nothing was applied");
    expect(read(own, "src/c.txt")).toBe("three\n");
    expect(existsSync(join(own.workspace, "n.txt"))).toBe(false);
  });

  it("FE1 applies new files", async () => {
    await using own = await openExecWorld(files, { tools });
    const result = await own.call("run_code", { language: "bash", code: "echo x > n.txt" });
    expect(result).toMatchObject({ ok: true, value: { filesChanged: ["n.txt"] } });
    expect(read(own, "n.txt")).toBe("x\n");
  });

  it("FE1 refuses an unlisted command", async () => {
    await using own = await openExecWorld(files, { tools, commands: { onUnlisted: "box" } });
    const result = await own.call("execute_command", { command: "touch x" });
    expect(result).toMatchObject({ ok: false, error: { code: "COMMAND_DENIED" } });
    expect(existsSync(join(own.workspace, "x"))).toBe(false);
  });
});
