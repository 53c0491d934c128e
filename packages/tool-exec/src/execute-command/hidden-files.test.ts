import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolSuccess } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import type { ExecuteCommandResult } from "./execute-command-schema.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const CANARY = "CANARY-9c3d";
const SECRETS = [".env", "conf/.env"];
let world: ExecWorld;

function git(...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: world.workspace, env, encoding: "utf8" });
}

beforeEach(async () => {
  const files = {
    "src/a.txt": "TODO one\n",
    "conf/x.txt": "x\n",
    ...Object.fromEntries(SECRETS.map((path) => [path, `KEY=${CANARY}\n`])),
  };
  world = await openExecWorld(files, {
    tools: [ExecuteCommand],
    approver: async () => ({ approved: true }),
    commands: { onUnlisted: "box" },
    env: { PATH: process.env.PATH, HOME: "/nonexistent" },
  });
  git("init", "-q", "-b", "main");
  git("add", "src", "conf/x.txt");
  git("commit", "-qm", "one");
});
afterEach(() => world[Symbol.asyncDispose]());

const secrets = () => SECRETS.map((path) => readFileSync(join(world.workspace, path), "utf8"));
const UNTOUCHED = SECRETS.map(() => `KEY=${CANARY}\n`);

describe.skipIf(noBox)("a workspace with secrets", () => {
  it.each([
    "grep -rn TODO .",
    "find . -type f -not -path './.git/*' | xargs wc -l",
    "find . -type f -not -path './.git/*' -exec md5sum {} +",
    "tar czf /tmp/x.tgz . && tar xzOf /tmp/x.tgz",
    "cp -r . /tmp/x && cat /tmp/x/.env /tmp/x/conf/.env",
    "cp -r . /tmp/x && grep -rc KEY /tmp/x; wc -c /tmp/x/.e*",
    "for f in .e* conf/.e*; do [ -f $f ] && cat $f; done; base64 .e*",
  ])("FE20 does not make everyday commands fail, nor show them: %s", async (command) => {
    const result = await world.call("execute_command", { command });
    const { exitCode, stderr } = (result as ToolSuccess).value as ExecuteCommandResult;
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(JSON.stringify(result)).not.toContain(CANARY);
    expect(JSON.stringify(result)).not.toContain(Buffer.from(CANARY).toString("base64").slice(0, 8));
    expect(secrets()).toEqual(UNTOUCHED);
    expect(git("status", "--short")).toBe("?? .env\n?? conf/.env\n");
  });

  describe.each([false, true])("whose repository tracks them: %s", (isTracked) => {
    beforeEach(() => {
      if (!isTracked) return;
      git("add", "-f", ...SECRETS);
      git("commit", "-qm", "two");
    });

    it.each([
      "git status",
      "git diff",
      "git stash",
      "git stash -u",
      "git add -A",
      "git add .",
      "git add conf",
      "git commit -am x",
      "git commit -m x conf",
      "git checkout -- .",
      "git restore .",
      "git reset --hard",
      "git clean -fd",
      "git rm -r --cached .; git add .",
      "bash -c 'git add -A; git commit -m x'",
      "echo $(git add -A) && git stash -u",
      "cat .e* conf/.e* && git add -A",
    ])("FE19 git records no empty content of them: %s", async (command) => {
      await world.call("execute_command", { command });
      expect(secrets()).toEqual(UNTOUCHED);
      const empty = git("hash-object", "-t", "blob", "/dev/null").trim();
      expect(git("ls-files", "--stage")).not.toContain(empty);
      const commits = git("rev-list", "--all", "--reflog").trim().split("\n");
      for (const commit of commits) expect(git("ls-tree", "-r", commit)).not.toContain(empty);
    });
  });
});
