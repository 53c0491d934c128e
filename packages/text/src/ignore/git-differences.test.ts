// Random ignore files and paths, judged by git itself.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IgnoreFile } from "./ignore-file.js";

const hasGit = spawnSync("git", ["--version"]).status === 0;
const RUNS = Number(process.env.HAFT_GIT_RUNS ?? 150);
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-git-"));
  git(["init", "-q"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(args: readonly string[], input = ""): string {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return spawnSync("git", args, { cwd: folder, env, input, encoding: "utf8" }).stdout;
}

/** Returns the paths that git ignores. None of them exists, so they count as files. */
function byGit(rules: string, paths: readonly string[]): readonly string[] {
  writeFileSync(join(folder, ".gitignore"), rules);
  const out = git(["check-ignore", "--no-index", "-z", "--stdin"], paths.join("\0"));
  return out.split("\0").filter((path) => path !== "");
}

/** A path is ignored if it is itself, or if a folder above it is. */
function byUs(rules: string, paths: readonly string[]): readonly string[] {
  const file = new IgnoreFile(rules);
  return paths.filter((path) => {
    const names = path.split("/");
    return names.some((name, index) => {
      const isFolder = index < names.length - 1;
      return file.match(names.slice(0, index + 1).join("/"), name, isFolder) === "ignore";
    });
  });
}

const piece = fc.constantFrom(
  ..."aabbc/é1_-!#".split(""),
  ...["*", "*", "**", "/", "?", "\\", "[", "]", "^", " ", "\\ ", "\\\\ ", "**/", "/**", "***", "a**/b"],
  ...[
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[\\a-\\c]",
    "[]a]",
    "[a-]",
    "[b-a]",
    "[[:alpha:]]",
    "[[:word:]]",
    "[a/]",
  ],
  ...["[[:digit:]_]", "[[:nosuch:]]", "[\\1-\\3]", "[[:upper:]é]", "[é]", "[[:x]", "[[:", "{a,b}", "\\["],
);
const line = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
const name = fc
  .array(fc.constantFrom(..."aabbcé12_-[]:\\ wA{}".split("")), { minLength: 1, maxLength: 3 })
  .map((chars) => chars.join(""));
// Git treats a path that begins with a colon specially.
const path = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => names.join("/").replace(/^:+/, "a"));

describe.skipIf(!hasGit)("ignore files and git", () => {
  it(`FA11 agree on the paths of ${RUNS} random ignore files`, { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 2 }),
        fc.uniqueArray(path, { minLength: 12, maxLength: 40 }),
        (lines, paths) => {
          const rules = lines.join("\n");
          expect(byUs(rules, paths), JSON.stringify(rules)).toEqual(byGit(rules, paths));
        },
      ),
      { numRuns: RUNS, seed: Number(process.env.HAFT_GIT_SEED ?? 5), endOnFailure: true },
    );
  });

  it.each([
    ["[\\1-\\3]", ["2", "4"], ["2"]],
    ["[[:word:]]", ["a", "w", "_"], []],
    ["[[:alpha:]]x", ["ax", "éx"], ["ax"]],
    ["a\\\\ ", ["a\\", "a ", "a\\ "], ["a\\"]],
    ["a\\ ", ["a ", "a"], ["a "]],
    ["a\\  ", ["a ", "a  "], ["a "]],
    ["a[", ["a["], []],
    ["a\\", ["a\\", "a"], []],
    ["[a/]b", ["ab", "a/b"], ["ab"]],
    ["[b-a]", ["a", "b"], ["b"]],
    ["a**/b", ["ac/x/b", "ab", "b"], ["ac/x/b", "ab"]],
    ["**\\/b", ["b", "a/b", "a/c/b", "c/d"], ["a/b", "a/c/b"]],
    ["a/**\\/b", ["a/b", "a/c/b", "a/c/d/b"], ["a/c/b", "a/c/d/b"]],
    ["a\\/**\\/***", ["a/b", "a/b/c", "b"], ["a/b/c"]],
  ])("FA11 %j on %j", (rules, paths, ignored) => {
    expect(byUs(rules, paths)).toEqual(ignored);
    expect(byGit(rules, paths)).toEqual(ignored);
  });
});
