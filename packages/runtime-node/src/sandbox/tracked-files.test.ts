import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { trackedBelow, tracksAny } from "./tracked-files.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "haft-index-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FOLDERS = ["build", "dist/a", "empty", `deep/${"d".repeat(200)}`, "ünïcode"];
const FILES = [
  "a.txt",
  "build/out.js",
  "building/other.js",
  `deep/${"d".repeat(200)}/${"f".repeat(200)}`,
  `deep/${"d".repeat(200)}/${"g".repeat(200)}`,
  "ünïcode/ç.txt",
];

function git(...args: readonly string[]): string {
  return execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function repository(...init: readonly string[]): void {
  git("init", "-q", ...init);
  for (const path of FILES) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  for (const last of ["a", "b"])
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/ünïcode/`), Buffer.from([0xe9, 0xe9]), Buffer.from(last)]),
      "",
    );
  git("add", "-A");
}

/** Compares with git's own list. */
function expectAsGitSays(): void {
  const listed = git("ls-files", "-z").split("\0").filter(Boolean);
  const isTracked = trackedBelow(root, FOLDERS);
  for (const folder of FOLDERS)
    expect([folder, isTracked(folder)]).toEqual([
      folder,
      listed.some((path) => path.startsWith(`${folder}/`)),
    ]);
  expect(tracksAny(root, (path) => path === "ünïcode/ç.txt")).toBe(listed.includes("ünïcode/ç.txt"));
  expect(tracksAny(root, (path) => path.endsWith(".none"))).toBe(false);
}

describe("tracked files of a repository", () => {
  it.each(["2", "4"])("match git for an index of version %s", (version) => {
    repository();
    git("update-index", "--index-version", version);
    expectAsGitSays();
    git("rm", "-q", "--cached", "build/out.js");
    expectAsGitSays();
  });

  it.each(["2", "4"])("match git in a SHA-256 repository, index version %s", (version) => {
    repository("--object-format=sha256");
    git("update-index", "--index-version", version);
    expectAsGitSays();
    git("rm", "-q", "--cached", "build/out.js");
    expectAsGitSays();
  });

  it("match git with extended flags: files that are intended to be added, or skipped", () => {
    repository();
    mkdirSync(join(root, "dist/a"), { recursive: true });
    writeFileSync(join(root, "dist/a/new.js"), "new");
    git("add", "--intent-to-add", "dist/a/new.js");
    git("update-index", "--skip-worktree", "build/out.js");
    expectAsGitSays();
  });

  it("are none before anything was added, and without a repository", () => {
    expect(trackedBelow(root, FOLDERS)("build")).toBe(false);
    git("init", "-q");
    expect(trackedBelow(root, FOLDERS)("build")).toBe(false);
    expect(tracksAny(root, () => true)).toBe(false);
  });

  it("are assumed everywhere if the index is split, damaged or unknown", () => {
    repository();
    const index = join(root, ".git/index");
    git("update-index", "--split-index");
    expect(trackedBelow(root, FOLDERS)("empty")).toBe(true);
    for (const damaged of ["", "DIRC", "no index at all, but long enough to be one"]) {
      writeFileSync(index, damaged);
      expect(trackedBelow(root, FOLDERS)("empty")).toBe(true);
      expect(tracksAny(root, () => false)).toBe(true);
    }
    expect(trackedBelow(root, [])("empty")).toBe(false);
  });
});
