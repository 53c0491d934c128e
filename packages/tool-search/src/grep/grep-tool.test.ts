import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import type { GrepResult } from "./grep-schema.js";
import { Grep } from "./grep-tool.js";

describeToolContract(Grep, {
  files: { "a.txt": "one\ntwo\n", "dir/b.txt": "two\n" },
  args: { pattern: "two" },
  failing: [{ pattern: "(two" }, { pattern: "two", path: "missing" }],
});

const files = {
  "src/a.ts": "import x\n\nexport function load() {\n  // TODO read\n}\n",
  "src/b.tsx": "const todo = 1;\n",
  "docs/c.md": "# Todo\n\nnothing here\n",
};

describe("grep", () => {
  it("S0.GREP.1 a pattern returns files, line numbers and context, at most max_results", async () => {
    const { succeed } = await realRuntime({ files });
    const { value, text } = await succeed<GrepResult>("grep", { pattern: "load", max_results: 5 });
    expect(value.matches).toMatchObject([
      {
        path: "src/a.ts",
        line: 3,
        column: 17,
        text: "export function load() {",
        before: ["import x", ""],
        after: ["  // TODO read", "}"],
      },
    ]);
    expect(text).toBe(
      [
        "Found 1 match in 1 file (case-insensitive).",
        "src/a.ts",
        "1-import x",
        "2-",
        "3:export function load() {",
        "4-  // TODO read",
        "5-}",
        "Searched 3 files.",
      ].join("\n"),
    );
    const one = await succeed<GrepResult>("grep", { pattern: "todo", max_results: 1 });
    expect(one.value).toMatchObject({ totalMatches: 3, totalFiles: 3, shown: 1, truncated: true });
    expect(one.value.matches).toHaveLength(1);
  });

  it("S0.GREP.2 S1.D1 case is ignored unless case_sensitive, and the header says which", async () => {
    const { succeed } = await realRuntime({ files });
    const loose = await succeed<GrepResult>("grep", { pattern: "todo" });
    expect(loose.value.totalMatches).toBe(3);
    const strict = await succeed<GrepResult>("grep", { pattern: "todo", case_sensitive: true });
    expect(strict.value.totalMatches).toBe(1);
    expect(strict.text).toMatch(/^Found 1 match in 1 file \(case-sensitive\)\.\n/);
    expect(
      (await succeed<GrepResult>("grep", { pattern: "todo", ignore_case: true })).value.totalMatches,
    ).toBe(3);
  });

  it("S0.GREP.3 file_type selects exactly those extensions", async () => {
    const { succeed } = await realRuntime({ files });
    const pathsWith = async (fileType: unknown) => {
      const { value } = await succeed<GrepResult>("grep", { pattern: "todo", file_type: fileType });
      return value.matches?.map(({ path }) => path).sort();
    };
    expect(await pathsWith("ts")).toEqual(["src/a.ts"]);
    expect(await pathsWith(".tsx")).toEqual(["src/b.tsx"]);
    expect(await pathsWith("ts,md")).toEqual(["docs/c.md", "src/a.ts"]);
    expect(await pathsWith(["tsx", "md"])).toEqual(["docs/c.md", "src/b.tsx"]);
  });

  it("S0.GREP.4 no match is a success that names the searched path", async () => {
    const { succeed } = await realRuntime({
      files: { ...files, ".gitignore": "*.log\n", "x.log": "zebra\n" },
    });
    const { value, text } = await succeed<GrepResult>("grep", { pattern: "unicorn" });
    expect(value).toMatchObject({ matches: [], totalMatches: 0, shown: 0, truncated: false });
    expect(text).toBe("No matches for /unicorn/ in 3 files (skipped 1 ignored, 1 hidden).");
  });

  it("reports the matches of a slightly changed call", async () => {
    const { succeed } = await realRuntime({
      files: { "a.txt": "Value(1)\n", ".gitignore": "*.log\n", "x.log": "zebra\n", ".h": "hippo\n" },
    });
    const textOf = async (args: object) => (await succeed("grep", args)).text;
    expect(await textOf({ pattern: "value", case_sensitive: true })).toContain(
      "But 1 match in 1 file with case_sensitive:false.",
    );
    expect(await textOf({ pattern: "value(1)" })).toContain("But 1 match in 1 file with literal:true");
    expect(await textOf({ pattern: "zebra" })).toContain("But 1 match in 1 file with include_ignored:true.");
    expect(await textOf({ pattern: "hippo", include_hidden: false })).toContain("with include_hidden:true.");
    expect(await textOf({ pattern: "value", file_type: "py" })).toContain("No file fits");
  });

  it("S0.GREP.5 S1.R2 explains an invalid pattern, with one that works", async () => {
    const { fail, succeed } = await realRuntime({ files });
    const error = await fail("grep", { pattern: "(load" });
    expect(error).toMatchObject({
      code: "INVALID_PATTERN",
      message: 'Invalid regular expression "(load": unclosed group at position 0',
      details: { construct: "unclosed group", position: 0, rewrite: "(load)" },
    });
    expect(error.hint).toContain("For example: (load)");
    expect(
      (await succeed<GrepResult>(error.next?.tool ?? "", error.next?.args ?? {})).value.totalMatches,
    ).toBe(1);
  });

  it.each([
    ["load(?=\\()", "look-ahead", "load(?:\\()"],
    ["(?<!un)load", "look-behind", "load"],
    ["load\\", "backslash", "load\\\\"],
    ["load(", "unclosed group", "load\\("],
    ["(a|load\\(", "unclosed group", "(a|load\\()"],
    ["load)", "unopened", "load\\)"],
    ["[load", "character class", "[load]"],
    ["(l+)o\\1", "back-reference \\1", "(l+)o(?:l+)"],
    ["(?P<x>l)o(?P=x)", "named back-reference", "(?P<x>l)o(?:l)"],
    ["(?<x>l)o\\k<x>", "named back-reference", "(?<x>l)o(?:l)"],
    ["(?>lo+)ad", "atomic group", "(?:lo+)ad"],
    ["(?|lo|ad)", "branch reset", "(?:lo|ad)"],
    ["(l)?(?(1)o|a)", "conditional group", "(l)?(?:o|a)"],
    ["lo(?#here)ad", "comment group", "load"],
    ["(?'x'load)", "group name in quotes", "(?P<x>load)"],
    ["*load", "repetition operator *", "\\*load"],
    ["{2}load", "repetition {2}", "\\{2}load"],
    ["l{3,1}", "repetition range {3,1}", "l{1,3}"],
    ["[z-a]", "range is backwards", "[a-z]"],
    ["load\\Z", "\\Z", "load\\z"],
    ["lo\\had", "\\h", "lo[ \\t]ad"],
    ["l\\oad", "unknown escape \\o", "load"],
  ])("%s is refused with %s named and %s instead", async (pattern, construct, rewrite) => {
    const { fail } = await realRuntime({ files });
    const error = await fail("grep", { pattern });
    expect(error).toMatchObject({ code: "INVALID_PATTERN", details: { rewrite } });
    expect(error.message).toContain(construct);
  });

  it("without a rewrite it suggests plain text, and multiline for a line break", async () => {
    const { fail } = await realRuntime({ files });
    expect(await fail("grep", { pattern: "(?R)" })).toMatchObject({
      code: "INVALID_PATTERN",
      message: expect.stringContaining("recursion"),
      next: { tool: "grep", args: { pattern: "(?R)", literal: true } },
    });
    expect(await fail("grep", { pattern: "a\\nb" })).toMatchObject({
      code: "INVALID_PATTERN",
      hint: expect.stringContaining("Set multiline to true."),
      next: { tool: "grep", args: { pattern: "a\\nb", multiline: true } },
    });
  });

  it("searches a pattern that only fits the limit while case counts, and no hint fails", async () => {
    const { succeed } = await realRuntime({ files });
    const call = { pattern: "a{100000}", case_sensitive: true };
    expect((await succeed<GrepResult>("grep", call)).value.hints).toEqual([]);
    const many = Array.from({ length: 600 }, (_, index) => `w${index}`).join("|");
    expect(
      (await succeed<GrepResult>("grep", { pattern: `${many}|load` })).value.totalMatches,
    ).toBeGreaterThan(0);
  });

  it("S0.LIM.1 S1.R1 fifty matches by default, the total, and how to continue", async () => {
    const lines = Array.from({ length: 523 }, (_, index) => `hit ${index}\n`).join("");
    const { succeed } = await realRuntime({ files: { "a.txt": lines } });
    const { value, text } = await succeed<GrepResult>("grep", { pattern: "hit" });
    expect(value).toMatchObject({
      totalMatches: 523,
      totalFiles: 1,
      shown: 50,
      truncated: true,
      nextOffset: 50,
    });
    expect(text).toMatch(/^Found 523 matches in 1 file, showing 1-50 \(case-insensitive\)\.\n/);
    expect(text).toMatch(/Next: offset=50, or narrow with path\/glob\/file_type.*case_sensitive:true\.$/);
    const rest = await succeed<GrepResult>("grep", { pattern: "hit", offset: 520 });
    expect(rest.value.matches?.map(({ line }) => line)).toEqual([521, 522, 523]);
    expect(rest.text).toContain("showing 521-523");
    expect((await succeed("grep", { pattern: "hit", offset: 600 })).text).toContain(
      "none from offset 600 on",
    );
  });

  it("S0.LIM.3 max_results is clamped to 500, with a note", async () => {
    const { succeed } = await realRuntime({ files: { "a.txt": "hit\n".repeat(600) } });
    const { value, text, warnings } = await succeed<GrepResult>("grep", {
      pattern: "hit",
      limit: 9999,
      context: 0,
    });
    expect(value).toMatchObject({ shown: 500, totalMatches: 600 });
    expect(warnings).toEqual(["max_results is at most 500; 9999 was lowered to it"]);
    expect(text).toContain("Note: max_results is at most 500");
  });

  it("more results mean less context; the text stays within its budget", async () => {
    const line = (index: number) => (index % 20 === 10 ? "needle\n" : `${"filler ".repeat(40)}${index}\n`);
    const many = Array.from({ length: 2000 }, (_, index) => line(index)).join("");
    const { succeed } = await realRuntime({
      files: { "a.txt": many, "b.txt": `${"x ".repeat(300)}\n`.repeat(500) },
    });
    const { value, text } = await succeed<GrepResult>("grep", { pattern: "needle", max_results: 200 });
    expect(value).toMatchObject({ shown: 100, totalMatches: 100 });
    expect(text).toContain("Searched 2 files.");
    expect(text.length).toBeLessThan(24_500);
    const wide = await succeed<GrepResult>("grep", { pattern: "x", path: "b.txt", max_results: 100 });
    const next = Number(/Next: offset=(\d+)/.exec(wide.text)?.[1]);
    expect(next).toBeGreaterThan(10);
    expect(next).toBeLessThan(100);
    expect(wide.text).toContain(`showing 1-${next} `);
  });

  it("automatic context: 50 lines for one match, 15 for three, 2 for more", async () => {
    const numbered = (hits: readonly number[]) =>
      Array.from({ length: 400 }, (_, index) => (hits.includes(index) ? "needle" : `l${index}`)).join("\n");
    const { succeed } = await realRuntime({
      files: {
        one: numbered([200]),
        three: numbered([100, 200, 300]),
        five: numbered([50, 100, 150, 200, 250]),
      },
    });
    const contextOf = async (path: string) => {
      const { value } = await succeed<GrepResult>("grep", { pattern: "needle", path });
      return value.matches?.map(({ before, after }) => [before.length, after.length])[0];
    };
    expect(await contextOf("one")).toEqual([50, 50]);
    expect(await contextOf("three")).toEqual([15, 15]);
    expect(await contextOf("five")).toEqual([2, 2]);
  });

  it("truncates a long line around the match in the text, but not in the value", async () => {
    const { succeed } = await realRuntime({
      files: { "a.txt": `${"x".repeat(3000)}NEEDLE${"y".repeat(3000)}\n` },
    });
    const { value, text } = await succeed<GrepResult>("grep", { pattern: "needle" });
    expect(value.matches?.[0]?.text).toHaveLength(6006);
    expect(value.matches?.[0]?.column).toBe(3001);
    expect(text).toContain("NEEDLE");
    expect(text.length).toBeLessThan(800);
  });
});
