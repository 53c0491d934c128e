import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KnownGitKeys } from "./known-git-keys.js";

let root: string;
let asked = 0;
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
const ask = async () => {
  asked += 1;
  return git("config", "--local", "--includes", "--name-only", "--list").trim().split("\n");
};

beforeEach(async () => {
  asked = 0;
  root = mkdtempSync(join(tmpdir(), "haft-keys-"));
  git("init", "-q");
  mkdirSync(join(root, "sub"));
  // A file written just now may change again without a new timestamp.
  await delay(3_100);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("KnownGitKeys", () => {
  it("asks once while the configuration stays the same, from any folder", async () => {
    const keys = new KnownGitKeys(root);
    const first = await keys.of(root, ask);
    expect(await keys.of(join(root, "sub"), ask)).toEqual(first);
    expect(asked).toBe(1);
  });

  it("asks again after every change, even one that sets the time back", async () => {
    const keys = new KnownGitKeys(root);
    await keys.of(root, ask);
    git("config", "filter.evil.clean", "x");
    utimesSync(join(root, ".git/config"), 1, 1);
    expect(await keys.of(root, ask)).toContain("filter.evil.clean");
    writeFileSync(join(root, ".git/config.worktree"), "");
    await keys.of(root, ask);
    await keys.of(root, ask);
    expect(asked).toBe(4);
  });

  it("always asks if other files are included, or if the repository is elsewhere", async () => {
    const keys = new KnownGitKeys(root);
    writeFileSync(join(root, ".git/more"), "");
    git("config", "include.path", "more");
    await delay(3_100);
    for (const _ of [1, 2]) await keys.of(root, ask);
    expect(asked).toBe(2);
    rmSync(join(root, ".git"), { recursive: true });
    writeFileSync(join(root, ".git"), "gitdir: ../elsewhere\n");
    const askAgain = async () => {
      asked += 1;
      return [];
    };
    for (const _ of [1, 2]) await keys.of(root, askAgain);
    expect(asked).toBe(4);
  });
});
