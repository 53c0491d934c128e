import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolSuccess } from "@haft/core";
import { createNodeRuntime, type NodeRuntime } from "@haft/runtime-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
let root: string;
let runtime: NodeRuntime | undefined;

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd, env, encoding: "utf8" });
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-linked-")));
  mkdirSync(join(root, "main"));
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "home/.gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.com\n");
  writeFileSync(join(root, "main/a.txt"), "one\n");
  writeFileSync(join(root, "main/uncommitted.txt"), "only in the other working tree\n");
  git(join(root, "main"), "init", "-q", "-b", "main");
  git(join(root, "main"), "add", "a.txt");
  git(join(root, "main"), "commit", "-qm", "first commit");
  git(join(root, "main"), "worktree", "add", "-q", "-b", "topic", join(root, "linked"));
});
afterEach(async () => {
  await runtime?.dispose();
  runtime = undefined;
  rmSync(root, { recursive: true, force: true });
});

async function run(command: string, options: object = {}) {
  runtime ??= await createNodeRuntime({
    workspace: join(root, "linked"),
    stateDirectory: join(root, "state"),
    role: "coder",
    tools: [ExecuteCommand],
    env: { PATH: process.env.PATH, HOME: join(root, "home") },
    approver: async () => ({ approved: true }),
    commands: { onUnlisted: "box" },
    ...options,
  });
  return (await runtime.call("execute_command", { command })) as ToolSuccess<ExecuteCommandResult>;
}

describe.skipIf(noBox)("a linked working tree", () => {
  it.each([
    ["in the box", {}],
    ["without a box", { sandbox: { tier: "portable" } }],
  ])("FE4 git reads its repository, and no other working tree, %s", async (_where, options) => {
    writeFileSync(join(root, "linked/a.txt"), "two\n");
    expect((await run("git status --short", options)).value.stdout).toBe(" M a.txt\n");
    expect((await run("git log --oneline")).text).toContain("first commit");
    expect((await run("git diff")).text).toContain("+two");
    expect((await run("git branch --show-current")).value.stdout).toBe("topic\n");
    expect((await run(`cat ${join(root, "main/uncommitted.txt")}`)).text).not.toContain("only in the other");
  });

  it("FE20 git add and git commit write to its repository, but to nothing that makes git run programs", async () => {
    writeFileSync(join(root, "linked/b.txt"), "new\n");
    expect(await run("git add b.txt && git commit -m second")).toMatchObject({
      ok: true,
      value: { exitCode: 0 },
    });
    expect(git(join(root, "linked"), "log", "--format=%s %an")).toBe("second Ada\nfirst commit T\n");
    expect(git(join(root, "main"), "status", "--short")).toBe("?? uncommitted.txt\n");
    expect(existsSync(join(root, "main/.git/config.worktree"))).toBe(false);
  });

  it("FE4 a .git file alone is not trusted: the repository has to name the working tree", async () => {
    mkdirSync(join(root, "other"));
    git(join(root, "other"), "init", "-q");
    writeFileSync(join(root, "other/x.txt"), "x\n");
    git(join(root, "other"), "add", ".");
    git(join(root, "other"), "commit", "-qm", "of another");
    git(join(root, "other"), "worktree", "add", "-q", join(root, "third"));
    writeFileSync(join(root, "linked/.git"), `gitdir: ${join(root, "other/.git/worktrees/third")}\n`);
    const result = await run("git log --oneline");
    expect(result.text).not.toContain("of another");
    expect(result.text).toContain("outside the workspace");
  });
});
