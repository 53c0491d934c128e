import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { compilePathPattern } from "./index.js";

function matching(pattern: string | string[], paths: string[], ignoreCase = false): string[] {
  return paths.filter(compilePathPattern(pattern, { ignoreCase }));
}

describe("compilePathPattern", () => {
  it.each([
    ["*.ts", ["a.ts", "src/a.ts", "src/.hidden.ts"], ["a.tsx", "ts", "a.ts/b"]],
    ["src/*.ts", ["src/a.ts", "./src/a.ts", "/src/a.ts"], ["src/b/a.ts", "lib/src/a.ts"]],
    ["/*.ts", ["a.ts"], ["src/a.ts"]],
    ["./*.ts", ["a.ts"], ["src/a.ts"]],
    ["src/**", ["src", "src/", "src/a", "src/a/b/.c"], ["srcs", "lib/src", "lib/src/a"]],
    ["**/src/**", ["src", "lib/src", "lib/src/a/b"], ["lib"]],
    ["build/", ["build", "build/a", "lib/build/a/b"], ["builder", "a/builds/c"]],
    ["/build/", ["build", "build/a"], ["lib/build/a"]],
    ["a/build/", ["a/build", "a/build/x"], ["b/a/build/x"]],
    ["**/*.test.ts", ["a.test.ts", "x/y/a.test.ts"], ["a.ts"]],
    ["src/**/index.ts", ["src/index.ts", "src/a/b/index.ts"], ["index.ts"]],
    ["{docs,test}/*.{md,ts}", ["docs/a.md", "test/b.ts"], ["docs/a.js", "lib/a.md"]],
    ["{src/*.ts,*.md}", ["src/a.ts", "x/y/z.md"], ["x/src/a.ts"]],
    ["data/[ab]?.txt", ["data/a1.txt", "data/b2.txt"], ["data/c1.txt", "data/a.txt"]],
    ["[!a].txt", ["b.txt"], ["a.txt"]],
    ["data/\\[id\\].ts", ["data/[id].ts"], ["data/i.ts"]],
    ["!a", ["!a"], ["b"]],
    ["#a", ["#a"], []],
    ["+(a|b)", ["+(a|b)"], ["a", "ab"]],
    ["日本*", ["data/日本.txt"], ["data/本日.txt"]],
    ["[", ["["], ["x"]],
  ])("%s", (pattern, yes, no) => {
    expect(matching(pattern, [...yes, ...no])).toEqual(yes);
  });

  it("accepts several patterns, and an empty list matches nothing", () => {
    expect(matching(["*.ts", "docs/**"], ["a.ts", "docs/b", "c.js"])).toEqual(["a.ts", "docs/b"]);
    expect(matching([], ["a"])).toEqual([]);
  });

  it("ignores case on request", () => {
    expect(matching("SRC/*.TS", ["src/a.ts"])).toEqual([]);
    expect(
      matching(["SRC/*.TS", "README*", "Docs/**"], ["src/a.ts", "x/readme.md", "docs"], true),
    ).toHaveLength(3);
  });

  it.each([
    ["", 'The pattern "" matches no path'],
    ["/", 'The pattern "/" matches no path'],
    ["..", 'The pattern ".." matches no path'],
    ["{".repeat(60_000), "The pattern is 60000 characters long; at most 1024 are allowed"],
    ["{a,b}".repeat(24), "more than 1000 alternatives"],
    ["{1..100000}", "more than 1000 alternatives"],
    ["**/a/".repeat(9), 'more than 8 "**"'],
  ])("rejects %s", (pattern, message) => {
    const usedMs = measureProcessorTime();
    expect(() => compilePathPattern(pattern)).toThrow(message);
    expect(usedMs()).toBeLessThan(500);
  });

  it.each([
    ["*a*a*a*a*a*a*b", "a".repeat(200)],
    ["**/*a*a*a*a*a*a*b", "a/".repeat(500) + "a".repeat(200)],
    ["**/a/**/a/**/a/**/a/**/a/**/b", "a/".repeat(1500)],
    ["{".repeat(1000), "x"],
    [`${"{a,b".repeat(200)}${"}".repeat(200)}`, "a"],
    ["[".repeat(1000), "["],
    ["?*".repeat(500), "a".repeat(5000)],
    [`${"\\".repeat(1000)}x`, "x"],
    ["*", "/".repeat(200_000)],
  ])("does not hang on %s", (pattern, path) => {
    const usedMs = measureProcessorTime();
    const matches = compilePathPattern(pattern);
    for (let run = 0; run < 10; run++) matches(path);
    expect(usedMs()).toBeLessThan(1500);
  });
});
