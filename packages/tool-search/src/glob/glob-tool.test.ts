import { symlinkSync, utimesSync } from "node:fs";
import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import type { GlobResult } from "./glob-schema.js";
import { Glob } from "./glob-tool.js";

describeToolContract(Glob, {
  files: { "a.txt": "one\n", "dir/b.txt": "two\n" },
  args: { pattern: "**/*.txt" },
  failing: [{ pattern: "[a" }, { pattern: "*", path: "missing" }, { pattern: "*", path: "a.txt" }],
});

const files = {
  "a.ts": "",
  "b.tsx": "",
  "src/c.tsx": "",
  "src/deep/d.test.ts": "",
  "src/e.test.ts": "",
  "src/.hidden.ts": "",
  ".github/workflows/ci.yml": "",
  "node_modules/x/index.ts": "",
  "dist/out.ts": "",
};

async function globber(own: Record<string, string> = files) {
  const real = await realRuntime({ files: own });
  const list = async (args: object) =>
    (await real.succeed<GlobResult>("glob", args)).value.files.map(({ path }) => path);
  return { ...real, list };
}

describe("glob", () => {
  it("S0.GLOB.1 lists **/*.tsx by name, without installed packages", async () => {
    const { list, succeed } = await globber({ ...files, "node_modules/y.tsx": "" });
    expect(await list({ pattern: "**/*.tsx" })).toEqual(["b.tsx", "src/c.tsx"]);
    const { text } = await succeed("glob", { pattern: "**/*.tsx" });
    expect(text).toBe(
      "Found 2 files (sorted by path).\nb.tsx\nsrc/c.tsx\n(1 more in excluded node_modules/; pass include_ignored:true)",
    );
    expect(await list({ pattern: "**/*.tsx", include_ignored: true })).toContain("node_modules/y.tsx");
  });

  it("S0.GLOB.2 src/**/*.test.ts reaches nested files", async () => {
    const { list } = await globber();
    expect(await list({ pattern: "src/**/*.test.ts" })).toEqual(["src/deep/d.test.ts", "src/e.test.ts"]);
  });

  it("S0.GLOB.3 exclude accepts folder names and globs", async () => {
    const { list } = await globber();
    expect(await list({ pattern: "**/*.ts", exclude: ["deep"] })).toEqual(["a.ts", "src/e.test.ts"]);
    expect(await list({ pattern: "**/*.ts", exclude: ["*.test.ts"] })).toEqual(["a.ts"]);
    expect(await list({ pattern: "**/*.ts", path: "src", exclude: "deep/**" })).toEqual(["src/e.test.ts"]);
  });

  it.each([
    ["[abc.ts", "[abc].ts"],
    ["src/{a,b", "src/{a,b}"],
    ["", "**/*"],
  ])("S0.GLOB.4 rejects %j and suggests %j", async (pattern, repaired) => {
    const { fail, runtime } = await globber();
    const error = await fail("glob", { pattern });
    expect(error).toMatchObject({ code: "INVALID_PATTERN", details: { rewrite: repaired } });
    expect(error.next).toMatchObject({ tool: "glob", args: { pattern: repaired } });
    expect(await runtime.call("glob", error.next?.args ?? {})).toMatchObject({ ok: true });
  });

  it("S0.GLOB.5 no match is a success with a message", async () => {
    const { succeed } = await globber();
    const { value, text } = await succeed<GlobResult>("glob", { pattern: "**/*.rs" });
    expect(value).toMatchObject({ files: [], total: 0, truncated: false });
    expect(text).toMatch(/^No files match \*\*\/\*\.rs \(not looked at: \d+ hidden\)\.$/);
  });

  it("S0.LIM.2 a hundred by default, the total, and how to continue", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 140 }, (_, index) => [`f${String(index).padStart(3, "0")}`, ""]),
    );
    const { succeed } = await globber(many);
    const { value, text } = await succeed<GlobResult>("glob", { pattern: "*" });
    expect(value).toMatchObject({ total: 140, shown: 100, truncated: true, nextOffset: 100 });
    expect(text).toMatch(/^Found 140 files, showing 1-100 \(sorted by path\)\.\nf000\n/);
    expect(text).toMatch(/Next: offset=100, or narrow/);
    const rest = await succeed<GlobResult>("glob", { pattern: "*", offset: 100 });
    expect(rest.value.files[0]?.path).toBe("f100");
    expect(rest.value).toMatchObject({ shown: 40, truncated: false });
  });

  it("S0.LIM.3 S2.GLOB.7 R8 max_results is clamped to 500 with a notice", async () => {
    const many = Object.fromEntries(Array.from({ length: 520 }, (_, index) => [`f${index}`, ""]));
    const { succeed } = await globber(many);
    const { value, warnings } = await succeed<GlobResult>("glob", { pattern: "*", limit: 5000 });
    expect(value).toMatchObject({ shown: 500, total: 520 });
    expect(warnings).toEqual(["max_results is at most 500; 5000 was lowered to it"]);
    expect((await succeed<GlobResult>("glob", { pattern: "*", head_limit: 3 })).value.shown).toBe(3);
  });

  it("S1.D2 S1.Q2 a list of patterns, where ! excludes", async () => {
    const { list } = await globber();
    expect(await list({ pattern: ["**/*.ts", "**/*.tsx", "!**/*.test.ts"] })).toEqual([
      "a.ts",
      "b.tsx",
      "src/c.tsx",
    ]);
    expect(await list({ pattern: ["!src", "!*.tsx"] })).toEqual(["a.ts"]);
  });

  it("S1.I2 S2.GLOB.6 R1 D17 newest first on request, and the header names the order", async () => {
    const { succeed, list, at } = await globber({ "a.ts": "", "b.ts": "", "c.ts": "" });
    for (const [name, seconds] of [
      ["a.ts", 1_000],
      ["b.ts", 3_000],
      ["c.ts", 2_000],
    ] as const)
      utimesSync(at(name), seconds, seconds);
    const { value, text } = await succeed<GlobResult>("glob", { pattern: "*.ts", sort: "modified" });
    expect(value.files).toMatchObject([
      { path: "b.ts", modified: "1970-01-01T00:50:00.000Z" },
      { path: "c.ts" },
      { path: "a.ts" },
    ]);
    expect(text).toContain("Found 3 files (newest first).");
    expect(await list({ pattern: "*.ts" })).toEqual(["a.ts", "b.ts", "c.ts"]);
    const claude = await realRuntime({ files: { "a.ts": "", "b.ts": "" }, dialect: "claude" });
    utimesSync(claude.at("a.ts"), 1, 1);
    const glob = await claude.succeed<GlobResult>("Glob", { pattern: "*.ts" });
    expect(glob.value.files.map(({ path }) => path)).toEqual(["b.ts", "a.ts"]);
  });

  it("S2.GLOB.1 S2.GLOB.2 S2.GLOB.3 S2.GLOB.4 ** * ? and [abc]", async () => {
    const { list } = await globber({ a1: "", b1: "", a22: "", "d/a1": "", "d/e/a1": "" });
    expect(await list({ pattern: "**/a1" })).toEqual(["a1", "d/a1", "d/e/a1"]);
    expect(await list({ pattern: "a*" })).toEqual(["a1", "a22"]);
    expect(await list({ pattern: "a?" })).toEqual(["a1"]);
    expect(await list({ pattern: "[ab]1" })).toEqual(["a1", "b1"]);
    expect(await list({ pattern: "[!a]1" })).toEqual(["b1"]);
    expect(await list({ pattern: "{a,b}1" })).toEqual(["a1", "b1"]);
    expect(await list({ pattern: "A*", case_sensitive: false })).toEqual(["a1", "a22"]);
  });

  it("S2.GLOB.5 looks in path, or in the workspace", async () => {
    const { list, fail } = await globber();
    expect(await list({ pattern: "*.tsx", path: "src" })).toEqual(["src/c.tsx"]);
    expect(await list({ pattern: "src/*.tsx", path: "src" })).toEqual(["src/c.tsx"]);
    expect(await fail("glob", { pattern: "*", path: "scr" })).toMatchObject({
      code: "PATH_NOT_FOUND",
      next: { tool: "glob", args: { path: "src" } },
    });
    expect(await fail("glob", { pattern: "*", path: "a.ts" })).toMatchObject({ code: "NOT_A_DIRECTORY" });
  });

  it("S2.GLOB.8 R17 D10 hidden files only on request or if named", async () => {
    const { list } = await globber();
    expect(await list({ pattern: "src/*" })).toEqual(["src/c.tsx", "src/e.test.ts"]);
    expect(await list({ pattern: "src/*", include_hidden: true })).toContain("src/.hidden.ts");
    expect(await list({ pattern: ".github/**/*.yml" })).toEqual([".github/workflows/ci.yml"]);
    expect(await list({ pattern: "**/*.yml", path: ".github" })).toEqual([".github/workflows/ci.yml"]);
    expect(await list({ pattern: "**/.hidden.ts" })).toEqual(["src/.hidden.ts"]);
  });

  it("S2.GLOB.9 R18 finds files that are excluded by default or ignored if they are named", async () => {
    const { list } = await globber({
      ...files,
      ".git/config": "",
      "__pycache__/x.ts": "",
      ".gitignore": "gen/\n",
      "gen/g.ts": "",
    });
    expect(await list({ pattern: "**/*" })).toEqual([
      "a.ts",
      "b.tsx",
      "src/c.tsx",
      "src/deep/d.test.ts",
      "src/e.test.ts",
    ]);
    expect(await list({ pattern: "dist/**" })).toEqual(["dist/out.ts"]);
    expect(await list({ pattern: "**/*.ts", path: "node_modules" })).toEqual(["node_modules/x/index.ts"]);
    expect(await list({ pattern: ["gen/*.ts", "a.ts"] })).toEqual(["a.ts", "gen/g.ts"]);
  });

  it("S2.GLOB.10 R5 Glob shows absolute paths; the value always has both", async () => {
    const { succeed, root } = await realRuntime({ files: { "a.ts": "xy" }, dialect: "claude" });
    const { value, text } = await succeed<GlobResult>("Glob", { pattern: "*.ts" });
    expect(text).toContain(`\n${root}/a.ts`);
    expect(value.files).toMatchObject([{ path: "a.ts", absolutePath: `${root}/a.ts`, size: 2 }]);
  });

  it("accepts patterns as models write them: absolute, a folder, a name with brackets", async () => {
    const { list, root, fail } = await globber({
      "app/[id]/page.tsx": "",
      "app/i/page.tsx": "",
      "app/x.ts": "",
    });
    expect(await list({ pattern: `${root}/app/*.ts` })).toEqual(["app/x.ts"]);
    expect(await list({ pattern: "./app/*.ts" })).toEqual(["app/x.ts"]);
    expect(await list({ pattern: "app/[id]" })).toEqual(["app/[id]/page.tsx"]);
    expect(await list({ pattern: "app/[id]/page.tsx" })).toEqual(["app/[id]/page.tsx"]);
    expect(await list({ pattern: "app/[id]/*" })).toEqual(["app/[id]/page.tsx", "app/i/page.tsx"]);
    expect(await list({ pattern: "[id]/**/*.tsx", path: "app" })).toEqual([
      "app/[id]/page.tsx",
      "app/i/page.tsx",
    ]);
    expect(await list({ pattern: `${root}/app/[id]/*.tsx` })).toContain("app/[id]/page.tsx");
    expect(await list({ pattern: "app/" })).toEqual(["app/[id]/page.tsx", "app/i/page.tsx", "app/x.ts"]);
    for (const pattern of ["../*", "/etc/*", "app/../../*"])
      expect(await fail("glob", { pattern })).toMatchObject({ code: "INVALID_PATH" });
  });

  it("does not follow links to folders; a link to a file inside is a file", async () => {
    const { list, at } = await globber({ "d/a.ts": "" });
    symlinkSync("..", at("d/loop"));
    symlinkSync("a.ts", at("d/link.ts"));
    symlinkSync("/etc/passwd", at("d/out.ts"));
    symlinkSync("gone", at("d/broken.ts"));
    expect(await list({ pattern: "**/*.ts" })).toEqual(["d/a.ts", "d/link.ts"]);
  });

  it("S0.SAFE.2 R16 stops at the depth limit and names the folders it did not enter", async () => {
    const { succeed } = await globber({ "a/b/c/d.ts": "", "e.ts": "" });
    const { value, warnings } = await succeed<GlobResult>("glob", { pattern: "**/*.ts", max_depth: 2 });
    expect(value.files.map(({ path }) => path)).toEqual(["e.ts"]);
    expect(warnings).toEqual(["did not enter 1 folder more than 2 levels down: a/b; use path or max_depth"]);
    const named = await succeed<GlobResult>("glob", { pattern: "a/**/*.ts", max_depth: 2 });
    expect(named.value).toMatchObject({ files: [], skipped: { tooDeep: 1 } });
  });

  it.each([{ pattern: "src/\0*" }, { pattern: "**/*", exclude: ["a\0b"] }])(
    "rejects a NUL in %o",
    async (args) => {
      const { fail } = await globber();
      expect(await fail("glob", args)).toMatchObject({ code: "INVALID_PATTERN" });
    },
  );

  it("gls-06 rejects a bomb of braces at once", async () => {
    const { fail } = await globber();
    expect(await fail("glob", { pattern: "{x,y}".repeat(18) })).toMatchObject({ code: "INVALID_PATTERN" });
  });
});
