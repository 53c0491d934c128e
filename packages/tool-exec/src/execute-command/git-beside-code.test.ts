import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EverydayWorld, openEverydayWorld } from "./everyday.fixture.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
let project: EverydayWorld;

beforeAll(async () => {
  project = await openEverydayWorld();
}, 60_000);
beforeEach(() => project.reset());
afterAll(() => project[Symbol.asyncDispose](), 60_000);

const run = (command: string) => project.world.call("execute_command", { command, timeout: 30 });

describe.skipIf(noBox)("FE5 git beside code of the project", () => {
  it.each([
    "git status && npm test",
    "npm test; git log --oneline",
    "git add . && npm test",
    "git status && timeout 5 npm test",
    "git add . && sh scripts/check.sh",
  ])("%s is refused, and the refusal suggests two calls", async (command) => {
    const result = await run(command);
    expect(result).toMatchObject({ ok: false, error: { code: "COMMAND_DENIED" } });
    expect(result.text).toContain("two calls");
    expect(project.asked).toEqual([]);
  });

  it.each([
    "git status && cat .gi*/config",
    "git status; cat link*/config",
    "git status; cat link/config",
    "git status; base64 .gi*/objects/*/*",
    "git log --oneline; head -1 .git/packed-refs .git/HEAD",
    "git status; printf '.g\\151t/config' | xargs head",
    "git log --format=.g%x69t/config | xargs cat",
    "git log --format=.g%x69t/config | xargs head -5",
    "git add a.txt; find . -name config -exec cat {} +",
    'git add a.txt; awk \'{ getline x < (".g" "it/config"); print x }\' a.txt',
    "git add a.txt; cp evil .git/commondir",
    "git add a.txt; mkdir -p .git/rebase-merge && cp a.txt .git/rebase-merge/git-rebase-todo",
    "git add a.txt; cp -r . copy",
    "git add a.txt; cp -rt copy .",
    "git add a.txt; ln -s src/../.gi? there",
    "git add a.txt; mv sub moved; cat moved/link/config",
    "git add a.txt; rm -rf .",
    "git status; diff -r sub src",
    "git add a.txt; tar cf all.tar .",
    "cd src; git status; cat ../link/config",
  ])("FE3 %s shows nothing of the repository, and changes nothing in it", async (command) => {
    const { workspace } = project.world;
    symlinkSync(".git", join(workspace, "link"));
    mkdirSync(join(workspace, "sub"), { recursive: true });
    symlinkSync("../.git", join(workspace, "sub/link"));
    const result = await run(command);
    const left = spawnSync("grep", ["-rlE", "repositoryformatversion", ".", "--exclude-dir=.git"], {
      cwd: workspace,
      encoding: "utf8",
    });
    expect([result.text, left.stdout].join("\n")).not.toMatch(/repositoryformatversion|sub\/link/);
    for (const name of ["rebase-merge", "commondir"])
      expect(existsSync(join(workspace, ".git", name))).toBe(false);
    expect(existsSync(join(workspace, ".git/config"))).toBe(true);
  });

  it.each(["git status; grep -rn repositoryformat .", "git status && rg -uuu repositoryformat"])(
    "FE3 %s ignores the repository",
    async (command) => {
      expect((await run(command)).text).not.toContain("repositoryformatversion");
    },
  );

  it("code never sees the objects, even if the line runs in the box", async () => {
    const result = await run(
      "git --version; node -e \"console.log(require('fs').readdirSync('.git/objects').length)\"",
    );
    expect(result).toMatchObject({ ok: true, value: { stdout: expect.stringMatching(/\n0\n$/) } });
  });

  it.each([
    "mkdir -p lib && touch lib/a.ts && git add lib",
    "rm old/x.txt && git add -A && git commit -m 'Remove old'",
    "git ls-files | xargs wc -l",
    "cd src && git log --oneline | head -1 && echo done",
    "git status && grep -rn TODO src/* *.md",
    "git diff --name-only HEAD | sort -u | xargs -r grep -n x",
    "mv data.json renamed.json && git add -A",
    "cp README.md copy.md && git add copy.md && cat copy.md",
    "git log --oneline | wc -l; ls -la; cat *.md",
  ])("%s still works with at most one question", async (command) => {
    expect(await run(command)).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(project.asked.length).toBeLessThan(2);
  });
});
