import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import type { GrepResult } from "./grep-schema.js";

const files = {
  "src/a.ts": "alpha\nBeta TODO\ngamma\n",
  "src/b.tsx": "beta todo\n",
  "lib/c.py": "def beta():\n    return 'TODO'\n",
};

const pathsOf = ({ matches, files: found }: GrepResult) =>
  (matches ?? found ?? []).map(({ path }) => path).sort();

describe("Grep, as its seed spells it", () => {
  it("S2.GREP.1 S2.GREP.2 finds by regular expression, and by plain text", async () => {
    const { succeed } = await realRuntime({ files: { "a.txt": "a.b\naxb\n" } });
    const linesOf = async (args: object) =>
      (await succeed<GrepResult>("grep", args)).value.matches?.map(({ line }) => line);
    expect(await linesOf({ pattern: "a.b" })).toEqual([1, 2]);
    expect(await linesOf({ pattern: "a.b", literal: true })).toEqual([1]);
  });

  it("S2.GREP.3 R4 is case-sensitive unless -i", async () => {
    const { succeed, root } = await realRuntime({ files, dialect: "claude" });
    const { value, text } = await succeed<GrepResult>("Grep", { pattern: "todo" });
    expect(pathsOf(value)).toEqual(["src/b.tsx"]);
    expect(text).toContain(`\n${root}/src/b.tsx\n`);
    const loose = await succeed<GrepResult>("Grep", { pattern: "todo", "-i": true });
    expect(pathsOf(loose.value)).toEqual(["lib/c.py", "src/a.ts", "src/b.tsx"]);
  });

  it("S2.GREP.4 S2.GREP.5 S2.GREP.6 -B, -A and -C show surrounding lines", async () => {
    const { succeed, at } = await realRuntime({ files, dialect: "claude" });
    const around = async (args: object) => {
      const call = { pattern: "Beta", path: at("src"), output_mode: "content", ...args };
      const { value } = await succeed<GrepResult>("Grep", call);
      return value.matches?.map(({ before, after }) => [before, after]);
    };
    expect(await around({ "-B": 1 })).toEqual([[["alpha"], []]]);
    expect(await around({ "-A": 1 })).toEqual([[[], ["gamma"]]]);
    expect(await around({ "-C": 1 })).toEqual([[["alpha"], ["gamma"]]]);
  });

  it("S2.GREP.7 -n controls line numbers", async () => {
    const { succeed } = await realRuntime({ files, dialect: "claude" });
    const call = { pattern: "Beta", output_mode: "content", "-C": 0 };
    expect((await succeed("Grep", { ...call, "-n": true })).text).toContain("\n2:Beta TODO\n");
    expect((await succeed("Grep", { ...call, "-n": false })).text).toContain("\nBeta TODO\n");
  });

  it("S2.GREP.8 S1.Q1 multiline lets a match span lines", async () => {
    const { succeed, fail } = await realRuntime({ files });
    const call = { pattern: "alpha\\nbeta", path: "src" };
    expect(await fail("grep", call)).toMatchObject({
      code: "INVALID_PATTERN",
      hint: expect.stringContaining("multiline"),
    });
    const { value } = await succeed<GrepResult>("grep", { ...call, multiline: true });
    expect(value.matches?.map(({ line, endLine }) => [line, endLine])).toEqual([[1, 2]]);
  });

  it("S2.GREP.9 R9 type is a language with all its extensions", async () => {
    const { succeed } = await realRuntime({ files, dialect: "claude" });
    const typed = async (type: string) =>
      pathsOf((await succeed<GrepResult>("Grep", { pattern: "beta", "-i": true, type })).value);
    expect(await typed("ts")).toEqual(["src/a.ts", "src/b.tsx"]);
    expect(await typed("py")).toEqual(["lib/c.py"]);
    expect(await typed("tsx")).toEqual(["src/b.tsx"]);
  });

  it("S2.GREP.10 glob narrows, from the workspace or from path", async () => {
    const { succeed } = await realRuntime({ files });
    const within = async (args: object) =>
      pathsOf((await succeed<GrepResult>("grep", { pattern: "beta", ...args })).value);
    expect(await within({ glob: "*.tsx" })).toEqual(["src/b.tsx"]);
    expect(await within({ include: "*.{ts,py}" })).toEqual(["lib/c.py", "src/a.ts"]);
    expect(await within({ glob: ["src/**", "!*.tsx"] })).toEqual(["src/a.ts"]);
    expect(await within({ path: "src", glob: "src/*.ts" })).toEqual(["src/a.ts"]);
    expect(await within({ path: "src", glob: "./*.ts" })).toEqual(["src/a.ts"]);
    expect(await within({ exclude: ["lib", "*.ts"] })).toEqual(["src/b.tsx"]);
  });

  it("S2.GREP.11 R7 three output modes; Grep defaults to paths, grep to lines", async () => {
    const { succeed, root } = await realRuntime({
      files: { "a.txt": "x\nx\n", "b.txt": "x\n" },
      dialect: "claude",
    });
    const plain = await succeed<GrepResult>("Grep", { pattern: "x" });
    expect(plain.value.files).toMatchObject([
      { path: "a.txt", count: 2 },
      { path: "b.txt", count: 1 },
    ]);
    expect(plain.text).toBe(
      `Found 3 matches in 2 files (case-sensitive).\n${root}/a.txt\n${root}/b.txt\nSearched 2 files.`,
    );
    const counted = await succeed("Grep", { pattern: "x", output_mode: "count" });
    expect(counted.text).toContain(`${root}/a.txt:2\n${root}/b.txt:1\n`);
    const content = await succeed<GrepResult>("Grep", { pattern: "x", output_mode: "content" });
    expect(content.value.matches).toHaveLength(3);
    const canonical = await realRuntime({ files: { "a.txt": "x\n" } });
    expect((await canonical.succeed<GrepResult>("grep", { pattern: "x" })).value.matches).toHaveLength(1);
  });

  it("S2.GREP.12 offset and head_limit page through files and lines", async () => {
    const { succeed } = await realRuntime({
      files: { "a.txt": "x\nx\n", "b.txt": "x\n", "c.txt": "x\n" },
      dialect: "claude",
    });
    const page = async (args: object) => (await succeed<GrepResult>("Grep", { pattern: "x", ...args })).value;
    expect(await page({ head_limit: 2 })).toMatchObject({ shown: 2, truncated: true, nextOffset: 2 });
    expect(pathsOf(await page({ head_limit: 2, offset: 2 }))).toEqual(["c.txt"]);
    const lines = await page({ output_mode: "content", offset: 1, head_limit: 2 });
    expect(lines.matches?.map(({ path, line }) => `${path}:${line}`)).toEqual(["a.txt:2", "b.txt:1"]);
  });

  it("S2.GREP.13 files are sorted by relevance: definitions, then number of matches, then depth", async () => {
    const { succeed } = await realRuntime({
      files: {
        "a/deep/use.ts": "load();\n",
        "many.ts": "load();\nload();\n",
        "use.ts": "load();\n",
        "z/def.ts": "export function load() {}\n",
      },
    });
    const { value } = await succeed<GrepResult>("grep", {
      pattern: "load",
      output_mode: "files_with_matches",
    });
    expect(value.files?.map(({ path }) => path)).toEqual(["z/def.ts", "many.ts", "use.ts", "a/deep/use.ts"]);
  });
});

// Needs a state for every set of the last 15 characters, so that even the automaton has work to do.
const SLOW_PATTERN = "^[ab]*a[ab]{15}$";
const slowText = (length: number) =>
  Array.from({ length }, (_, index) =>
    Math.imul(index ^ (index >>> 7), 2_654_435_761) >>> 31 ? "a" : "b",
  ).join("");

describe("files that grep omits", () => {
  it("S1.I1 respects ignore files, skips unreadable files, and counts both", async () => {
    const { succeed, at } = await realRuntime({
      files: {
        ".gitignore": "out/\n*.log\n!keep.log\n",
        "a.ts": "x\n",
        "out/b.ts": "x\n",
        "c.log": "x\n",
        "keep.log": "x\n",
        "no.ts": "x\n",
      },
    });
    chmodSync(at("no.ts"), 0);
    const { value, text } = await succeed<GrepResult>("grep", { pattern: "^x" });
    const asRoot = process.getuid?.() === 0;
    expect(pathsOf(value)).toEqual(["a.ts", "keep.log", ...(asRoot ? ["no.ts"] : [])]);
    expect(value.skipped).toMatchObject({ ignored: 2, denied: asRoot ? 0 : 1 });
    expect(text).toContain("2 ignored");
    const all = await succeed<GrepResult>("grep", { pattern: "^x", include_ignored: true });
    expect(pathsOf(all.value)).toContain("out/b.ts");
    expect(pathsOf((await succeed<GrepResult>("grep", { pattern: "^x", path: "out" })).value)).toEqual([
      "out/b.ts",
    ]);
  });

  it("S0.SAFE.1 S1.Q5 skips files over 1 MB with a warning, names them and continues; the size is configurable", async () => {
    const big = `needle\n${"x".repeat(1024 * 1024)}\n`;
    const own = { "big.min.js": big, "small.js": "needle\n" };
    const { succeed } = await realRuntime({ files: own });
    const { value, text, warnings } = await succeed<GrepResult>("grep", { pattern: "needle" });
    expect(pathsOf(value)).toEqual(["small.js"]);
    expect(value.skipped).toMatchObject({ tooLarge: 1, examples: { tooLarge: ["big.min.js"] } });
    expect(warnings).toEqual(["skipped 1 file over 1 MB: big.min.js"]);
    expect(text).toContain("skipped 1 over 1 MB (big.min.js)");
    expect(
      pathsOf((await succeed<GrepResult>("grep", { pattern: "needle", path: "big.min.js" })).value),
    ).toEqual(["big.min.js"]);
    const wide = await realRuntime({ files: own, limits: { grepFileBytes: 4 * 1024 * 1024 } });
    expect((await wide.succeed<GrepResult>("grep", { pattern: "needle" })).value.totalFiles).toBe(2);
  });

  it("S0.SAFE.2 R16 stops at the depth limit, warns and returns partial results", async () => {
    const deep = `${Array.from({ length: 12 }, (_, index) => `d${index}`).join("/")}/x.txt`;
    const { succeed } = await realRuntime({
      files: { [deep]: "hit\n", "top.txt": "hit\n" },
      limits: { maxDepth: 10 },
    });
    const { value, warnings } = await succeed<GrepResult>("grep", { pattern: "hit" });
    expect(pathsOf(value)).toEqual(["top.txt"]);
    expect(value.skipped.tooDeep).toBe(1);
    expect(warnings[0]).toMatch(
      /^did not enter 1 folder more than 10 levels down: d0\/d1\/.*; use path or max_depth$/,
    );
    expect((await succeed<GrepResult>("grep", { pattern: "hit", max_depth: 20 })).value.totalFiles).toBe(2);
  });

  it("S0.SAFE.3 gives up on a file that takes too long, with a warning, and searches the rest", async () => {
    // One takes seconds, the other almost nothing: both are far from the limit, even on a busy machine.
    const { succeed } = await realRuntime({
      files: { "slow.txt": slowText(1_000_000), "z.txt": `${"a".repeat(41)}\n` },
      limits: { grepFileMs: 100 },
    });
    const { value, warnings } = await succeed<GrepResult>("grep", { pattern: "^[ab]*a[ab]{40}$" });
    expect(pathsOf(value)).toEqual(["z.txt"]);
    expect(value.skipped).toMatchObject({ timedOut: 1, examples: { timedOut: ["slow.txt"] } });
    expect(warnings).toEqual(["gave up on 1 file after 0.1 s each: slow.txt"]);
  });

  it("a call that runs out of time returns partial results, marked as such", async () => {
    const slow = slowText(60_000);
    const names = Array.from({ length: 600 }, (_, index) => [`f${index}.txt`, slow]);
    const { succeed } = await realRuntime({ files: Object.fromEntries(names), limits: { callMs: 40 } });
    const { value, text } = await succeed<GrepResult>("grep", { pattern: SLOW_PATTERN });
    expect(value.incomplete).toBe(true);
    expect(value.searched).toBeLessThan(600);
    expect(text).toContain("the totals are lower bounds");
  });

  it("R19 se-903 never opens sensitive files, with any arguments", async () => {
    const { succeed, fail, at } = await realRuntime({
      files: {
        "config/.env": "K=canary\n",
        "config/id_rsa": "canary\n",
        "config/.env.example": "K=sample\n",
        "config/a.ts": "a\n",
      },
    });
    symlinkSync("config/.env", at("harmless.txt"));
    for (const args of [
      {},
      { include_hidden: true, include_ignored: true },
      { glob: ".env" },
      { path: "config" },
    ]) {
      const result = await succeed<GrepResult>("grep", { pattern: "canary|sample|^a$", ...args });
      expect(JSON.stringify(result)).not.toContain("K=canary");
      expect(result.value.skipped.sensitive).toBeGreaterThan(0);
    }
    for (const path of ["config/.env", "harmless.txt"])
      expect(await fail("grep", { pattern: "canary", path })).toMatchObject({ code: "SENSITIVE_FILE" });
  });

  it("skips and counts binary files, unless one is named, as in ripgrep", async () => {
    const { succeed, at } = await realRuntime({
      files: { "a.bin": new Uint8Array([120, 0, 120, 10]), "a.txt": "x\n" },
    });
    writeFileSync(at("b.txt"), "x\n");
    const { value } = await succeed<GrepResult>("grep", { pattern: "x" });
    expect(pathsOf(value)).toEqual(["a.txt", "b.txt"]);
    expect(value.skipped.binary).toBe(1);
    const named = await succeed<GrepResult>("grep", { pattern: "x", path: "a.bin" });
    expect(named.value).toMatchObject({ totalMatches: 1, skipped: { binary: 0 } });
    expect(named.warnings).toEqual(["a.bin is not a text file; it was searched because it was named"]);
  });

  it("text ends at a late NUL: later bytes are not matched, and not counted for the next file", async () => {
    const late = `${"x\n".repeat(40_000)}\0\nhello\n`;
    const { succeed } = await realRuntime({
      files: { "a.txt": late, "b.txt": "nothing here\n", "c.txt": late },
    });
    for (const output_mode of ["content", "files_with_matches"]) {
      const { value } = await succeed<GrepResult>("grep", { pattern: "hello", output_mode });
      expect(value).toMatchObject({ totalMatches: 0, totalFiles: 0 });
    }
    const { value } = await succeed<GrepResult>("grep", { pattern: "nothing|^x$", output_mode: "count" });
    expect(value).toMatchObject({ totalMatches: 80_001, totalFiles: 3 });
  });

  it("matches behind a link are reported under the given name", async () => {
    const { succeed, at } = await realRuntime({
      files: { "src/a.ts": "needle\n", "src/deep/b.ts": "needle\n" },
    });
    symlinkSync("src", at("linked"));
    symlinkSync("src/a.ts", at("link.ts"));
    const found = async (path: string) =>
      pathsOf((await succeed<GrepResult>("grep", { pattern: "needle", path })).value)?.sort();
    expect(await found("linked")).toEqual(["linked/a.ts", "linked/deep/b.ts"]);
    expect(await found("linked/deep")).toEqual(["linked/deep/b.ts"]);
    expect(await found("link.ts")).toEqual(["link.ts"]);
    expect(await found(at("linked"))).toEqual(["linked/a.ts", "linked/deep/b.ts"]);
    expect(await found(".")).toEqual(["src/a.ts", "src/deep/b.ts"]);
    const listed = await succeed<{ files: readonly { path: string; absolutePath: string }[] }>("glob", {
      pattern: "**/*.ts",
      path: "linked",
    });
    expect(listed.value.files.map(({ path }) => path)).toEqual(["linked/a.ts", "linked/deep/b.ts"]);
    expect(listed.value.files[0]?.absolutePath).toBe(at("linked/a.ts"));
    const searched = await succeed<{ results: readonly { path: string }[] }>("search", {
      query: "needle",
      path: "linked",
    });
    expect(searched.value.results.map(({ path }) => path).sort()).toEqual([
      "linked/a.ts",
      "linked/deep/b.ts",
    ]);
  });
});
