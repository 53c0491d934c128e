import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { CANARY, gitIn } from "./committed-secrets.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

let world: ExecWorld;

beforeAll(async () => {
  world = await openExecWorld(
    { "clean/a.txt": "first words\nsecond words\nthird words\n", "module/.env": `KEY=${CANARY}-1\n` },
    { tools: [ExecuteCommand], paths: { sensitive: ["config/prod.yaml"] } },
  );
  const commitAll = (git: (...args: string[]) => string, message: string) => {
    git("add", "-A", "-f");
    git("commit", "-q", "-m", message);
  };
  const clean = gitIn(join(world.workspace, "clean"));
  clean("init", "-q", "-b", "main");
  commitAll(clean, "one");
  clean("mv", "a.txt", "b.txt");
  commitAll(clean, "renamed");
  const module = gitIn(join(world.workspace, "module"));
  module("init", "-q", "-b", "main");
  commitAll(module, "one");
  const git = gitIn(world.workspace);
  git("init", "-q", "-b", "main");
  world.write("config/prod.yaml", `key: ${CANARY}-prod\n`);
  world.write("config/plain.yaml", "key: plain\n");
  world.write(".gitignore", "clean\nmodule\n");
  git("submodule", "add", "-q", "./module", "sub");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  world.write("sub/.env", `KEY=${CANARY}-2\n`);
  commitAll(gitIn(join(world.workspace, "sub")), "two");
  git("add", "sub");
  git("commit", "-q", "-m", "two");
  git("worktree", "add", "-q", "linked", "HEAD");
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const run = (command: string) => world.call("execute_command", { command });

describe.skipIf(process.platform !== "linux")("a committed secret in other places", () => {
  it.each([
    "git diff --submodule=diff HEAD~1 HEAD",
    "git log -p --submodule=diff",
    "git show --submodule=diff",
    "cd sub && git log -p",
    "cd sub && git show HEAD:.env",
    "cd sub && git diff HEAD~1 HEAD",
    "cd linked && git show HEAD:config/prod.yaml",
    "git show HEAD:config/prod.yaml",
    "cd config && git show HEAD:config/prod.yaml",
    "cd config && git show HEAD:./prod.yaml",
    "cd config && git log -p -- :/config/prod.yaml",
    "cd config && git diff HEAD~1 HEAD -- ':(top)config/prod.yaml'",
  ])("S4.005.c R19 is not printed by %s", async (command) => {
    const answer = JSON.stringify(await run(command));
    expect(answer).not.toContain(CANARY);
    expect(answer).not.toContain("EXECUTION_ERROR");
  });

  it("follows renames in a history without a sensitive file", async () => {
    const { text } = await run("cd clean && git log --follow -p b.txt");
    expect(text).toContain("rename from a.txt");
    expect(text).toContain("+first words");
    expect((await run("cd config && git show HEAD:config/plain.yaml")).text).toContain("key: plain");
  });

  it("refuses an object whose type git does not report", async () => {
    const config = join(world.workspace, "clean/.git/config");
    appendFileSync(config, "[broken\n");
    const { text } = await run("cd clean && git show main:b.txt");
    writeFileSync(config, "");
    expect(text).toContain("git does not report the type of main");
    expect((await run("cd clean && git show main:b.txt")).text).toContain("first words");
  });
});
