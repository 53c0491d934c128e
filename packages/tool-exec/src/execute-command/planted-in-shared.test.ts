import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

/** A test of the project that leaves a repository and editor settings in build output, where no view hides them. */
const HOSTILE = `
const fs = require("node:fs");
const put = (path, content) => { fs.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true }); fs.writeFileSync(path, content); };
for (const name of ["out/.git", "out/bare", "out/deep/er/.git"]) {
  put(name + "/HEAD", "ref: refs/heads/main\\n");
  put(name + "/config", "[core]\\n\\tfsmonitor = touch PWNED\\n");
  fs.mkdirSync(name + "/objects"); fs.mkdirSync(name + "/refs");
}
put("out/.vscode/tasks.json", "{}");
put("out/package.json", "{}");
put("out/kept.js", "1");
`;

describe.skipIf(noBox)("folders that listed commands share with the workspace", () => {
  it("FE3 contain no repository and no editor settings that a command left there", async () => {
    await using world = await openExecWorld(
      { ".gitignore": "out/\n", "a.test.js": HOSTILE, ".git/HEAD": "ref: refs/heads/main\n" },
      { tools: [ExecuteCommand] },
    );
    spawnSync("git", ["init", "-q"], { cwd: world.workspace });
    mkdirSync(join(world.workspace, "out"));
    const result = await world.call("execute_command", { command: "node --test", timeout: 60 });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0, passedThrough: ["out"] } });
    expect(result.text).toContain("out/.git: renamed to out/.git.disabled-");
    for (const name of ["out/.git", "out/bare/HEAD", "out/deep/er/.git", "out/.vscode"])
      expect(existsSync(join(world.workspace, name)), name).toBe(false);
    expect(readdirSync(join(world.workspace, "out"))).toContain("package.json");
    expect(readFileSync(join(world.workspace, "out/kept.js"), "utf8")).toBe("1");
    const renamed = readdirSync(join(world.workspace, "out")).filter((name) => name.startsWith(".git."));
    expect(renamed).toHaveLength(1);
    for (const folder of ["out", "out/bare", "out/deep/er", `out/${renamed[0]}`])
      spawnSync("git", ["status"], { cwd: join(world.workspace, folder) });
    expect(spawnSync("find", [world.workspace, "-name", "PWNED"], { encoding: "utf8" }).stdout).toBe("");
  }, 60_000);

  it("FE3 contain no repository below another one", async () => {
    const plant = `
const fs = require("node:fs");
for (const name of ["out/bare", "out/bare/in/.git", "out/bare/in/.git/more/.git", "out/bare/in/bare"]) {
  for (const folder of ["objects", "refs"]) fs.mkdirSync(name + "/" + folder, { recursive: true });
  fs.writeFileSync(name + "/HEAD", "ref: refs/heads/main\\n");
}`;
    await using world = await openExecWorld(
      { ".gitignore": "out/\n", "a.test.js": plant, ".git/HEAD": "ref: refs/heads/main\n" },
      { tools: [ExecuteCommand] },
    );
    spawnSync("git", ["init", "-q"], { cwd: world.workspace });
    mkdirSync(join(world.workspace, "out"));
    const result = await world.call("execute_command", { command: "node --test", timeout: 60 });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0, passedThrough: ["out"] } });
    const found = readdirSync(join(world.workspace, "out"), { recursive: true }).map(String);
    expect(found.filter((path) => /(?:^|\/)(?:HEAD|\.git)$/.test(path))).toEqual([]);
    expect(found.filter((path) => path.endsWith("objects"))).toHaveLength(4);
  });

  it("FE3 contain no repository of a cancelled command", async () => {
    await using world = await openExecWorld(
      {
        ".gitignore": "out/\n",
        "a.test.js": `${HOSTILE}\nsetTimeout(() => {}, 60_000);`,
        ".git/HEAD": "ref: refs/heads/main\n",
      },
      { tools: [ExecuteCommand] },
    );
    spawnSync("git", ["init", "-q"], { cwd: world.workspace });
    mkdirSync(join(world.workspace, "out"));
    const cancel = new AbortController();
    const args = { command: "node --test", timeout: 60 };
    const call = world.runtime.call("execute_command", args, { signal: cancel.signal });
    const planted = () => expect(existsSync(join(world.workspace, "out/kept.js"))).toBe(true);
    await vi.waitFor(planted, 40_000);
    cancel.abort();
    expect(await call).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    await vi.waitFor(() => expect(existsSync(join(world.workspace, "out/.git"))).toBe(false), 10_000);
  }, 90_000);

  it("FE3 keep existing entries", async () => {
    await using world = await openExecWorld(
      { ".gitignore": "out/\n", "a.test.js": "", ".git/HEAD": "ref: refs/heads/main\n" },
      { tools: [ExecuteCommand] },
    );
    spawnSync("git", ["init", "-q"], { cwd: world.workspace });
    world.write("out/.vscode/tasks.json", "{}");
    const result = await world.call("execute_command", { command: "node --test", timeout: 60 });
    expect(result.text).not.toContain("renamed");
    expect(existsSync(join(world.workspace, "out/.vscode/tasks.json"))).toBe(true);
  }, 60_000);
});

describe.skipIf(noBox)("new files that a command leaves without a prompt", () => {
  it.each([
    ["at once", ["mkdir -p evil/objects evil/refs; echo 'ref: refs/heads/main' > evil/HEAD; CONFIG"]],
    ["in two calls", ["mkdir -p evil/objects evil/refs", "echo 'ref: refs/heads/main' > evil/HEAD; CONFIG"]],
    [
      "with a shared folder",
      [
        "mkdir -p evil store/objects store/refs; echo 'ref: refs/heads/main' > evil/HEAD; echo ../store > evil/commondir; CONFIG; cp evil/config store/config; cp evil/config evil/config.worktree; printf '[extensions]\\n\\tworktreeConfig = true\\n' >> store/config",
      ],
    ],
  ])("FE3 create no repository without a working tree (%s)", async (_title, lines) => {
    const tools = [ExecuteCommand];
    await using world = await openExecWorld(
      { "a.txt": "" },
      { tools, commands: { onUnlisted: "box" }, approver: NO },
    );
    const config =
      "printf '[core]\\n\\tfsmonitor = touch PWNED\\n\\tbare = false\\n\\tworktree = ..\\n' > evil/config";
    for (const line of lines) {
      const result = await world.call("execute_command", { command: line.replace("CONFIG", config) });
      expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
      if (line.includes("CONFIG"))
        expect(result.text).toContain("git would run what such a repository names");
    }
    expect(existsSync(join(world.workspace, "evil/config"))).toBe(true);
    spawnSync("git", ["status"], { cwd: join(world.workspace, "evil") });
    expect(spawnSync("find", [world.workspace, "-name", "PWNED"], { encoding: "utf8" }).stdout).toBe("");
  });
});

it.skipIf(noBox)(
  "FE3 a file called HEAD prompts before others can make its folder a repository",
  async () => {
    await using world = await openExecWorld(
      { "a.txt": "" },
      { tools: [ExecuteCommand], commands: { onUnlisted: "box" }, approver: NO },
    );
    const result = await world.call("execute_command", { command: "echo 'ref: refs/heads/main' > HEAD" });
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(existsSync(join(world.workspace, "HEAD"))).toBe(false);
  },
);

const NO = async () => ({ approved: false });
