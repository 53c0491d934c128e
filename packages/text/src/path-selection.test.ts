import { describe, expect, it } from "vitest";
import { compilePathSelection } from "./index.js";

describe("compilePathSelection", () => {
  const closed = (selection: object) => compilePathSelection(selection, true);

  it("selects the paths in only, without those in not", () => {
    const { selects } = closed({ only: ["src/**"], not: ["src/open/**"] });
    expect(["src/a", "src/open/a", "lib/a"].map(selects)).toEqual([true, false, false]);
    expect(closed({}).selects("anything")).toBe(true);
  });

  it("a restricting selection covers everything below a match; a permitting one does not", () => {
    expect(closed({ only: ["secret"] }).selects("a/Secret/b/c")).toBe(true);
    expect(compilePathSelection({ only: ["src"] }, false).selects("src/a")).toBe(false);
    expect(closed({ not: ["*.d"] }).selects("x.d/evil.sh")).toBe(true);
    expect(compilePathSelection({ not: ["*.d"] }, false).selects("x.d/evil.sh")).toBe(false);
  });

  it("knows the parent folders of excluded paths", () => {
    const exact = closed({ not: ["a/b/**", "c/d.txt", "/e/"] });
    expect([...(exact.openFolders ?? [])].sort()).toEqual(["", "a", "c"]);
    expect(closed({ not: ["a/*/b"] }).openFolders).toBeUndefined();
    expect(closed({ not: ["*.md"] }).openFolders).toBeUndefined();
    const wild = closed({ not: ["a/*/b"] });
    expect(["", "a", "a/x", "b"].map(wild.mayLeaveOutBelow)).toEqual([true, true, true, false]);
    expect(["", "a", "a/x", "b"].map(wild.leadsToLeftOut)).toEqual([true, true, false, false]);
    expect(closed({ only: ["x"] }).mayLeaveOutBelow("")).toBe(false);
  });

  it.each<[object, boolean, boolean]>([
    [{ only: ["docs/**"], not: ["docs/**"] }, true, true],
    [{ only: ["docs/a/**"], not: ["docs/**"] }, true, true],
    [{ only: ["docs/a.md"], not: ["docs/*.md"] }, false, true],
    [{ only: ["docs/a.md", "docs/b/**"], not: ["docs/**"] }, true, true],
    [{ only: ["docs/a.md", "src/**"], not: ["docs/**"] }, false, false],
    [{ only: ["{a,b}/x/**"], not: ["a/**", "b/**"] }, true, true],
    [{ only: ["{a,c}/x/**"], not: ["a/**", "b/**"] }, false, false],
    [{ only: ["*.key"], not: ["*.key"] }, false, true],
    [{ only: ["*.key"], not: ["docs/**"] }, false, false],
    [{ only: ["src/*.key"], not: ["**"] }, true, true],
    [{ not: ["**"] }, true, true],
    [{ not: ["docs/**"] }, false, false],
    [{ only: ["docs/**"] }, false, false],
    [{ only: ["docs/**"], not: ["docs/private/**"] }, false, false],
    [{ only: ["[ab].ts"], not: ["[ab].ts"] }, true, true],
    [{ only: ["[ab].ts"], not: ["a.ts"] }, false, false],
  ])("FE15 knows when nothing is left: %j", (selection, restricting, permitting) => {
    expect(closed(selection).isEmpty()).toBe(restricting);
    expect(compilePathSelection(selection, false).isEmpty()).toBe(permitting);
  });

  it("FE15 counts what its patterns stand for, and refuses more than anyone writes", () => {
    expect(closed({ only: ["{a,b}/{c,d}", "*.md"], not: ["docs/**"] }).size).toBe(6);
    const bomb = Array.from({ length: 100 }, (_, index) => `${"{a,b}".repeat(9)}${index}`);
    expect(() => closed({ only: bomb })).toThrow(/more than 10000 alternatives/);
    expect(() => closed({ not: bomb })).toThrow(/more than 10000 alternatives/);
  });

  it.each([
    "[",
    "a/[b",
    "[]secret",
    "a][b",
    "[z-a]*",
    "{a,b",
    "a}{b",
    "!docs/**",
    "~/secret",
    "a/../b",
    "+(a|b).ts",
    "src/@(a)",
    "",
    "a\u200bb/**",
    "\ufeffsecret",
    "a\u202eb",
    "a\nb",
  ])("FE15 rejects %j", (pattern) => {
    expect(() => closed({ only: [pattern] })).toThrow(/The pattern/);
    expect(() => closed({ not: [pattern] })).toThrow(/The pattern/);
  });

  it.each([
    "data/\\[id\\].ts",
    "[ab].ts",
    "[]a].ts",
    "[[:alpha:]_]*",
    "{a,b}/[!x]*",
    "..foo/a..b",
    "app/(group)/page.tsx",
    "a+\\(b).ts",
    "./~/x",
  ])("reads %j", (pattern) => {
    expect(() => closed({ only: [pattern] })).not.toThrow();
  });
});
