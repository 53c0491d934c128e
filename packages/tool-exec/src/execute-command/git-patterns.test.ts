import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ToolSuccess } from "@haft/core";
import { describe, expect, it } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const FILES = {
  ...{ "a.ts": "a\n", "b.ts": "b\n", "c.txt": "c\n", "sub/d.ts": "d\n", "sub/e.ts": "e\n" },
  ...{ "odd name.ts": "o\n", "'quoted'.ts": "q\n", "-dash.ts": "-\n", ".env": "KEY=canary-4711\n" },
};

async function open() {
  const world = await openExecWorld(FILES, {
    tools: [ExecuteCommand],
    approver: async () => ({ approved: true }),
    commands: { onUnlisted: "box" },
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: world.workspace,
      encoding: "utf8",
    });
  git("init", "-q");
  const run = async (command: string) =>
    (await world.call("execute_command", { command })) as ToolSuccess<ExecuteCommandResult>;
  return { world, git, run };
}

describe.skipIf(noBox)("patterns in the arguments of git", () => {
  it.each([
    "git add *.ts",
    "git add -- *.ts",
    "git add ./*.ts",
    "git add sub/*.ts",
    "git add [ab].ts",
    "git add ?.ts c.*",
    "git add */d.ts",
    "cd sub && git add *.ts",
    "git add '*.ts'",
    'git add "sub/*"',
    "git add a.ts && git add sub/?.ts",
  ])("FE20 match as they do in bash: %s", async (command) => {
    const { world, git, run } = await open();
    await using _own = world;
    expect(await run(command)).toMatchObject({ ok: true, value: { exitCode: 0 } });
    const boxed = git("ls-files");
    git("rm", "-rq", "--cached", ".");
    // A name that starts with a dash is an option in bash, and a file here.
    execFileSync("bash", ["-c", command.replace("git add *.ts", "git add -- *.ts")], {
      cwd: world.workspace,
    });
    expect(boxed).toBe(git("ls-files"));
  });

  it("FE20 are judged by their matches: a file named like a revision reveals no committed secret", async () => {
    const { world, git, run } = await open();
    await using own = world;
    git("add", "-f", ".");
    git("commit", "-qm", "all");
    own.write("HEAD:.env", "x");
    own.write("--output=evil", "x");
    for (const command of ["git show HEAD*", "git diff *", "git add .e*", "git log -p -- .en?"])
      expect((await run(command)).text, command).not.toContain("canary-4711");
    expect(await run("git show HEAD*")).toMatchObject({ ok: false, error: { code: "COMMAND_DENIED" } });
    expect(existsSync(join(own.workspace, "evil"))).toBe(false);
  });
});
