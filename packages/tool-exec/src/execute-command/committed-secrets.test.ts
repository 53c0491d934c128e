import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommandTool } from "./execute-command-tool.js";

// Different in every commit, so that no other layer than the one for git can be what hides it.
const CANARY = "CANARY-c0mm";
const PLAIN = Array.from({ length: 9 }, (_, line) => `SETTING_${line}=the plain value ${line}\n`).join("");
let world: ExecWorld;
let ids: { blob: string; tree: string; commit: string; pem: string };

const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-C", world.workspace, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

beforeAll(async () => {
  world = await openExecWorld({}, { tools: [ExecuteCommandTool] });
  git("init", "-q", "-b", "main");
  const commit = (message: string) => {
    git("add", "-A", "-f");
    git("commit", "-q", "-m", message);
  };
  world.write("README.md", "# Fixture\nplain words\n");
  world.write(".env", `KEY=${CANARY}-1\n${PLAIN}`);
  world.write("deploy/server.pem", `${CANARY}-pem\n`);
  commit("first");
  ids = {
    blob: git("rev-parse", "HEAD:.env"),
    pem: git("rev-parse", "HEAD:deploy/server.pem"),
    tree: git("rev-parse", "HEAD^{tree}"),
    commit: git("rev-parse", "HEAD"),
  };
  git("tag", "-a", "-m", "the blob", "blobtag", ids.blob);
  git("tag", "lightblob", ids.blob);
  world.write(".env", `KEY=${CANARY}-2\n${PLAIN}`);
  commit("second: .env");
  git("mv", ".env", "settings.txt");
  // Never a secret under this name, but git says that it was renamed.
  world.write("settings.txt", PLAIN);
  commit("renamed");
  world.write("README.md", "# Fixture\nother words\n");
  commit("cleared");
  world.write(".env", `KEY=${CANARY}-3\n`);
  git("add", "-f", ".env");
  git("stash", "-q");
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const run = async (command: string) =>
  world.call("execute_command", {
    command: command.replace(/\{(blob|pem|tree|commit)\}/g, (_, name: keyof typeof ids) => ids[name]),
  });

describe.skipIf(process.platform !== "linux")("a secret that was committed", () => {
  it.each([
    ...["git show HEAD~3:.env", "git show {commit}:.env", "git show {blob}", "git show {tree}:.env"],
    ...["git show blobtag", "git show lightblob", "git show 'blobtag^{}'", "git show '{blob}^{blob}' --"],
    ...["git show 'main@{2040-01-01 10:00:00}~3:.env'", "git show 'HEAD^{/second: .env}:.env'"],
    ...[
      "git cat-file -p {blob}",
      "git cat-file blob {blob}",
      "git cat-file -p blobtag^{}",
      "git cat-file blob blobtag",
    ],
    ...[
      "git cat-file -p {tree}:.env",
      "git cat-file -p HEAD~2:.env",
      "git cat-file blob 'HEAD^{/second: .env}:.env'",
    ],
    ...[
      "git diff {blob} {pem}",
      "git diff {commit}:.env..{commit}:README.md",
      "git diff HEAD~3 HEAD",
      "git diff HEAD~2",
    ],
    ...[
      "git diff {commit}:deploy/server.pem..{commit}:README.md",
      "git diff {blob} README.md",
      "git diff {blob}..{pem}",
    ],
    ...[
      "git diff HEAD~3:README.md {blob}",
      "git diff --cached HEAD~3",
      "git diff-tree -p HEAD~3 HEAD",
      "git diff-tree -p --root {commit}",
    ],
    ...[
      "git show {commit}",
      "git show -p HEAD~2",
      "git show --all",
      "git show stash@{0}",
      "git show -m stash@{0}",
    ],
    ...[
      "git log -p",
      "git log -p --all",
      "git log -p -- .",
      "git log -p -g",
      "git log --all -S CANARY -p",
      "git log -p --reflog",
    ],
    ...[
      "git log -p --follow settings.txt",
      "git log --follow -U9 -- settings.txt",
      "git log -p --follow '*nv'",
      "git log --follow -c '.en?'",
    ],
    ...[
      "git log -L1,2:settings.txt",
      "git log -L 1,2:settings.txt -M",
      "git log --find-renames -L1,1:settings.txt",
    ],
    ...[
      "git log -p -M -- settings.txt",
      "git log -p --full-history -- settings.txt",
      "git log -p -R",
      "git log --word-diff -M -C",
    ],
    ...[
      "git stash list -p",
      "git stash list -p --all",
      "git stash show -p",
      "git reflog -p",
      "git reflog show -p --all",
    ],
    ...[
      "git whatchanged -p",
      "git grep CANARY HEAD~3",
      "git grep -h . {blob}",
      "git grep . {blob} {pem}",
      "git grep -e . blobtag",
    ],
    ...[
      "git grep . {tree}",
      "git grep CANARY {commit} -- .",
      "git grep CANARY stash@{0}",
      "git grep --cached CANARY",
    ],
    ...[
      "git blame HEAD~3 -- .env",
      "git blame {commit} -- deploy/server.pem",
      "git blame HEAD~1 -- .env",
      "git blame .env",
    ],
    ...[
      "git for-each-ref --format='%(raw)'",
      "git for-each-ref --format='%(contents)' refs/tags",
      "git tag -l --format='%(contents)'",
    ],
    ...[
      "git for-each-ref --format='%(*raw)'",
      "git tag -n9",
      "git tag -l --format='%(*contents:lines=9)'",
      "git branch --format='%(raw)'",
    ],
    ...[
      "git archive HEAD~3",
      "git format-patch --stdout HEAD~3",
      "git bundle create - --all",
      "git fast-export --all",
    ],
    ...[
      "git rev-list --objects --all",
      "git rev-list --all -p",
      "git ls-tree -r HEAD~3",
      "git ls-files -s",
      "git shortlog -p",
    ],
    ...[
      "cat .git/objects/{loose}",
      "git diff HEAD~3 HEAD -- ':(icase)**/.ENV'",
      "git diff HEAD~3 HEAD -- '*'",
      "git show {commit} -- '*nv'",
    ],
    ...[
      "timeout 5 git cat-file -p {blob}",
      "env git show {blob}",
      "echo {blob} | xargs git show",
      "echo {blob} | xargs -n1 git cat-file -p",
    ],
    ...[
      "git show HEAD {blob}",
      "git log -1 && git cat-file -p {blob}",
      "cd deploy && git show {blob}",
      "git show --no-patch {blob}",
    ],
  ])("S4.005.c R19 is not printed by %s", async (command) => {
    expect(JSON.stringify(await run(command))).not.toContain(CANARY);
  });

  it.each([
    ["git show HEAD:README.md", "other words"],
    ["git show", "cleared"],
    ["git show {commit}", "plain words"],
    ["git show stash@{0}", "WIP"],
    ["git cat-file -p HEAD", "cleared"],
    ["git cat-file -p {tree}", "README.md"],
    ["git cat-file -t {blob}", "blob"],
    ["git cat-file -s {blob}", ""],
    ["git diff HEAD~1 HEAD", "other words"],
    ["git diff HEAD~1..HEAD README.md", "other words"],
    ["git log -p -1", "other words"],
    ["git log --follow --oneline settings.txt", "first"],
    ["git log -L1,1:README.md", "first"],
    ["git grep words HEAD", "other words"],
    ["git grep words", "other words"],
    ["git show 'HEAD^{/second: .env}:README.md'", "plain words"],
    ["git show HEAD~3:README.md", "plain words"],
  ])("leaves %s as it is", async (command, expected) => {
    const result = await run(command);
    expect(result.ok, result.text).toBe(true);
    expect(result.text).toContain(expected);
    expect(result.text).toContain("exit code 0");
  });

  it("says how to name the file instead", async () => {
    const { text } = await run("git show {blob}");
    expect(text).toMatch(/COMMAND_DENIED[\s\S]*REVISION:PATH/);
  });
});
