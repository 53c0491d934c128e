import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import type { GrepResult } from "./grep-schema.js";

const files = { "src/a.ts": "one\nfoo\n", "src/b.ts": "foo\nFoo\n", "--files": "--files here\n" };

describe("defects of other search tools", () => {
  it("D7 a path to a file searches only that file, ignored or not", async () => {
    const { succeed } = await realRuntime({ files: { ...files, ".gitignore": "src/\n" } });
    const { value } = await succeed<GrepResult>("grep", { pattern: "foo", path: "src/a.ts", glob: "*.md" });
    expect(value.matches?.map(({ path, line }) => [path, line])).toEqual([["src/a.ts", 2]]);
    expect(value.searched).toBe(1);
  });

  it("D16 supports the syntax of RE2, and counts past the limit", async () => {
    const { succeed } = await realRuntime({ files });
    const { value } = await succeed<GrepResult>("grep", {
      pattern: "(?i)FOO",
      case_sensitive: true,
      max_results: 1,
    });
    expect(value).toMatchObject({ totalMatches: 3, totalFiles: 2, shown: 1, truncated: true });
  });

  it("D21 a pattern is never an option", async () => {
    const { succeed } = await realRuntime({ files });
    for (const pattern of ["--files", "-e", "--pre=sh", "-f/etc/passwd", "--"]) {
      const { value } = await succeed<GrepResult>("grep", { pattern });
      expect(value.matches?.every(({ text }) => text === "--files here")).toBe(true);
    }
    expect((await succeed<GrepResult>("grep", { pattern: "one", path: "--files" })).value.searched).toBe(1);
  });

  it("D21 any text, searched literally, finds itself", async () => {
    const { succeed, at } = await realRuntime({ files: { "a.txt": "" } });
    const { writeFileSync } = await import("node:fs");
    const line = fc
      .string({ minLength: 1, maxLength: 30, unit: "grapheme" })
      .filter((text) => !/[\0\r\n\ud800-\udfff]/.test(text));
    await fc.assert(
      fc.asyncProperty(line, async (pattern) => {
        writeFileSync(at("a.txt"), `before\n${pattern}\nafter\n`);
        const { value } = await succeed<GrepResult>("grep", { pattern, literal: true, case_sensitive: true });
        expect(value.matches?.map(({ text }) => text)).toContain(pattern);
      }),
      { numRuns: 60 },
    );
  });

  it("D22 counts all matches of a file, not only the first; case can be distinguished", async () => {
    const { succeed } = await realRuntime({ files });
    const { value } = await succeed<GrepResult>("grep", { pattern: "foo", case_sensitive: true });
    expect(value.totalMatches).toBe(2);
    expect((await succeed<GrepResult>("grep", { pattern: "foo", path: "src/b.ts" })).value.totalMatches).toBe(
      2,
    );
  });

  it.each(["(b+)+$", "(b|bb)*c", "(.*b){12}c", "^(([a-z])+.)+[A-Z]$", "(b?){40}b{40}x"])(
    "D27 %s answers within a second",
    async (pattern) => {
      const { succeed } = await realRuntime({ files: { "f.txt": `${"b".repeat(50_000)}!\n` } });
      const { value, durationMs } = await succeed<GrepResult>("grep", { pattern, path: "f.txt" });
      expect(value.totalMatches).toBe(0);
      expect(durationMs).toBeLessThan(1_000);
    },
  );

  it("D27 a missing path is an error with existing names", async () => {
    const { fail } = await realRuntime({ files });
    expect(await fail("grep", { pattern: "foo", path: "scr" })).toMatchObject({
      code: "PATH_NOT_FOUND",
      message: "Path not found: scr",
      hint: "Did you mean src?",
      next: { tool: "grep", args: { pattern: "foo", path: "src" } },
    });
    expect((await fail("grep", { pattern: "foo", path: "src/c.ts" })).hint).toMatch(/src\/[ab]\.ts/);
  });

  it("R20 a path with .. is rejected, with the equivalent path", async () => {
    const { fail } = await realRuntime({ files });
    const error = await fail("grep", { pattern: "foo", path: "docs/../src" });
    expect(error).toMatchObject({ code: "INVALID_PATH" });
    expect(error.hint).toContain("src");
  });

  it("pe-s-05 does not open a pipe", async () => {
    const { fail, at } = await realRuntime({ files });
    execFileSync("mkfifo", [at("pipe")]);
    expect(await fail("grep", { pattern: "x", path: "pipe" })).toMatchObject({ code: "NOT_A_FILE" });
  });

  it("a name that no path can spell breaks no search: it is omitted and reported", async () => {
    const { succeed, at } = await realRuntime({ files: { "a.txt": "needle\n", "x\ny": "needle\n" } });
    execFileSync("bash", ["-c", `echo needle > "$1"/$'bad\\xff'; mkdir "$1"/$'d\\x01'`, "-", at("")]);
    const { value } = await succeed<GrepResult>("grep", { pattern: "needle" });
    expect(value.matches?.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(value.skipped).toMatchObject({ denied: 3 });
    expect(value.skipped.examples.denied).toContain("x\\ny");
    const listed = await succeed<{ files: { path: string }[] }>("glob", { pattern: "**" });
    expect(listed.value.files.map(({ path }) => path)).toEqual(["a.txt"]);
    const ranked = await succeed<{ results: { path: string }[] }>("search", { query: "needle" });
    expect(ranked.value.results.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  it("a hundred searches at once all get their own answer", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`f${index}.txt`, `needle${index}.\n`]),
    );
    const { succeed } = await realRuntime({ files: many });
    const found = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        succeed<GrepResult>("grep", { pattern: `needle${index}.`, literal: true }),
      ),
    );
    expect(found.map(({ value }) => value.matches?.[0]?.path)).toEqual(Object.keys(many));
  });
});
