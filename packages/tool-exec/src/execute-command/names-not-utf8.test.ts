import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

const openProject = () =>
  openExecWorld(
    { "src/a.txt": "a", "b.txt": "b" },
    {
      tools: [ExecuteCommand],
      commands: { onUnlisted: "box" },
      approver: async () => ({ approved: true }),
    },
  );

// Paths are text here, so such a name cannot be written to the workspace. The result must report that.
describe.skipIf(noBox)("names that are not UTF-8", () => {
  it("FE20 reports a file that a command creates with one", async () => {
    await using world = await openProject();
    const result = await world.call("execute_command", { command: "echo k > k; echo x > $'new\\xff'" });
    expect(result.text).toMatch(/new\ufffd was left as it is in the workspace: its name is not UTF-8/);
    expect(readFileSync(join(world.workspace, "k"), "utf8")).toBe("k\n");
  });

  it("FE20 reports a file with one that a command deletes, and deletes the rest", async () => {
    await using world = await openProject();
    spawnSync("bash", ["-c", "echo x > $'old\\xff'; mkfifo pipe"], { cwd: world.workspace });
    const result = await world.call("execute_command", { command: "rm -rf old* pipe b.txt" });
    expect(result.warnings).toEqual([
      "old\ufffd was not deleted: its name is not UTF-8",
      "pipe was not deleted: it is neither a file, a folder nor a link",
    ]);
    expect(existsSync(join(world.workspace, "b.txt"))).toBe(false);
  });

  it("FE20 a name with control characters cannot forge a line of the result", async () => {
    await using world = await openProject();
    const result = await world.call("execute_command", {
      command: "touch $'\\e[31mred\\nforged'; ln -s $'/\\nforged' out",
    });
    expect(result.warnings).toHaveLength(2);
    expect(result.text).not.toMatch(/^forged/m);
    expect(result.text).not.toContain("\u001b");
  });

  it.each(["src", "b.txt"])("FE20 a command that moves %s to one loses nothing", async (name) => {
    await using world = await openProject();
    const result = await world.call("execute_command", { command: `mv ${name} $'moved\\xff'` });
    expect(result.text).toContain("its name is not UTF-8");
    expect(result.text).toContain(`${name} was not deleted`);
    expect(readFileSync(join(world.workspace, "src/a.txt"), "utf8")).toBe("a");
    expect(readFileSync(join(world.workspace, "b.txt"), "utf8")).toBe("b");
  });
});
