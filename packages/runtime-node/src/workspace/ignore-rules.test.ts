import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HeldDirectory } from "./held-directory.js";
import { IgnoreRules } from "./ignore-rules.js";

let base: string;
let main: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "haft-ignore-"));
  main = join(base, "main");
  mkdirSync(main);
  git(main, "init", "-q");
  git(main, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const NAMES = ["a.log", "b.tmp", "c.txt", "build"];

async function ignoredBy(folder: string): Promise<readonly string[]> {
  const directory = HeldDirectory.open(folder);
  try {
    const rules = await new IgnoreRules().enter("", directory);
    return NAMES.filter((name) => rules.ignores(name, name === "build"));
  } finally {
    directory.close();
  }
}

function ignoredByGit(folder: string): readonly string[] {
  mkdirSync(join(folder, "build"), { recursive: true });
  return NAMES.filter((name) => {
    try {
      git(folder, "check-ignore", "-q", name);
      return true;
    } catch {
      return false;
    }
  });
}

describe("FA11 the exclude file of a repository", () => {
  it("applies as in git, in the main worktree and in a linked one", async () => {
    writeFileSync(join(main, ".git/info/exclude"), "*.log\nbuild/\n");
    const linked = join(base, "linked");
    git(main, "worktree", "add", "-q", "--detach", linked);
    writeFileSync(join(linked, ".gitignore"), "*.tmp\n");
    for (const folder of [main, linked]) expect(await ignoredBy(folder)).toEqual(ignoredByGit(folder));
    expect(await ignoredBy(linked)).toEqual(["a.log", "b.tmp", "build"]);
  });

  it("applies if the repository lies elsewhere without worktrees", async () => {
    const work = join(base, "work");
    git(base, "init", "-q", "--separate-git-dir", join(base, "separate"), work);
    writeFileSync(join(base, "separate/info/exclude"), "c.txt\n");
    expect(await ignoredBy(work)).toEqual(ignoredByGit(work));
    expect(await ignoredBy(work)).toEqual(["c.txt"]);
  });

  it("has no rules if it is a link, a folder, missing, or named by a file that is not git's", async () => {
    const exclude = join(main, ".git/info/exclude");
    rmSync(exclude);
    expect(await ignoredBy(main)).toEqual([]);
    mkdirSync(exclude);
    expect(await ignoredBy(main)).toEqual([]);
    rmSync(exclude, { recursive: true });
    writeFileSync(join(base, "rules"), "*.log\n");
    symlinkSync(join(base, "rules"), exclude);
    expect(await ignoredBy(main)).toEqual([]);
    const odd = join(base, "odd");
    mkdirSync(odd);
    writeFileSync(join(odd, ".git"), "not a git file");
    expect(await ignoredBy(odd)).toEqual([]);
    writeFileSync(join(odd, ".git"), "gitdir: ../nowhere\n");
    expect(await ignoredBy(odd)).toEqual([]);
  });
});
