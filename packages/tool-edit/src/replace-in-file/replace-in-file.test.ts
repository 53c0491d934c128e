import { describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { ReplaceInFile } from "../index.js";
import { editRuntime } from "../testing.fixture.js";

describeToolContract(ReplaceInFile, {
  files: { "a.txt": "one two one\n" },
  args: { path: "a.txt", find: "one", replace: "1" },
});

const replace = async (content: string, args: object) => {
  const { runtime, approver, text } = editRuntime({ "a.txt": content });
  const result = await runtime.call("replace_in_file", { path: "a.txt", ...args });
  return { result, asked: approver.requests.length, after: await text("a.txt") };
};

describe("replace_in_file", () => {
  it("S0.REPL.1 replaces all occurrences, counts them and prompts", async () => {
    const { result, asked, after } = await replace("oldText oldText\nx oldText\n", {
      find: "oldText",
      replace: "newText",
    });
    expect(result).toMatchObject({ ok: true, value: { replacements: 3, changed: true, path: "a.txt" } });
    expect(after).toBe("newText newText\nx newText\n");
    expect(asked).toBe(1);
    expect(result.text).toContain("3 replacements in a.txt");
  });

  it("S0.REPL.2 S1.D3 applies a regular expression with capture groups", async () => {
    const { result, after } = await replace("log(a); log(b);\n", {
      find: "log\\((?P<what>\\w+)\\)",
      replace: "debug($1, ${what}, $&, $$)",
      is_regex: true,
    });
    expect(result).toMatchObject({ ok: true, value: { replacements: 2 } });
    expect(after).toBe("debug(a, a, log(a), $); debug(b, b, log(b), $);\n");
  });

  it("S0.REPL.3 preview shows the diff, changes nothing and never prompts", async () => {
    const { result, asked, after } = await replace("a\n", { find: "a", replace: "b", preview_only: true });
    expect(result).toMatchObject({ ok: true, preview: true, value: { replacements: 1 } });
    expect((result as { value: { diff: string } }).value.diff).toContain("-a\n+b");
    expect(after).toBe("a\n");
    expect(asked).toBe(0);
  });

  it("S0.REPL.4 finding nothing is a success without a prompt", async () => {
    const { result, asked, after } = await replace("alpha beta\n", { find: "alpa beta", replace: "x" });
    expect(result).toMatchObject({
      ok: true,
      value: { replacements: 0, changed: false, diff: "" },
      changes: [],
    });
    expect(result.text).toContain("0 replacements");
    expect(result.text).toContain("1: alpha beta");
    expect(asked).toBe(0);
    expect(after).toBe("alpha beta\n");
  });

  it("S0.REPL.5 a missing file is an error with its path", async () => {
    const { runtime } = editRuntime({});
    const result = await runtime.call("replace_in_file", { path: "src/none.ts", find: "a", replace: "b" });
    expect(result).toMatchObject({ ok: false, error: { code: "FILE_NOT_FOUND" } });
    expect(result.text).toContain("src/none.ts");
  });

  it.each([
    ["$&", "$&"],
    ["$1 $$ $` $'", "$1 $$ $` $'"],
    ["$0", "$0"],
  ])("D1 a literal replacement %s is not interpreted", async (given, expected) => {
    expect((await replace("X\n", { find: "X", replace: given })).after).toBe(`${expected}\n`);
  });

  it("ignores case on request, literally", async () => {
    expect(
      (await replace("Foo.bar foo.BAR fooxbar\n", { find: "foo.bar", replace: "$1", case_sensitive: false }))
        .after,
    ).toBe("$1 $1 fooxbar\n");
  });

  it("rejects a count that differs from expected_count", async () => {
    const { result, after } = await replace("a a\n", { find: "a", replace: "b", expected_count: 1 });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "COUNT_MISMATCH", details: { expected: 1, found: 2 } },
    });
    expect(after).toBe("a a\n");
  });

  it.each([
    ["(?=a)b", "look-ahead (?=…) is not supported"],
    ["(a)\\1", "back-reference \\1 is not supported"],
    ["(?>a)b", "atomic group (?>…) is not supported"],
    ["(unclosed", "unclosed group"],
  ])("S0.GREP.5 names what is wrong with %s and how to write it", async (find, named) => {
    const { result } = await replace("ab\n", { find, replace: "x", is_regex: true });
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_PATTERN" } });
    expect(result.text).toContain(named);
    expect((result as { error: { hint?: string } }).error.hint).toBeTruthy();
  });

  it("rejects a reference to a missing group", async () => {
    const { result } = await replace("ab\n", { find: "a(b)", replace: "$2", is_regex: true });
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_PATTERN" } });
    expect((await replace("ab\n", { find: "a(b)", replace: "${no}", is_regex: true })).result.ok).toBe(false);
    expect((await replace("ab\n", { find: "a(b)", replace: "$12", is_regex: true })).after).toBe("b2\n");
  });

  it("takes linear time for every pattern", async () => {
    const usedMs = measureProcessorTime();
    const { result } = await replace(`${"x".repeat(50_000)}\n`, {
      find: "(x+x+)+y",
      replace: "",
      is_regex: true,
    });
    expect(result).toMatchObject({ ok: true, value: { replacements: 0 } });
    expect(usedMs()).toBeLessThan(5_000);
  });

  it("keeps CRLF, and $ and . stop before it", async () => {
    expect((await replace("a1\r\nb2\r\n", { find: "\\d$", replace: "!", is_regex: true })).after).toBe(
      "a!\r\nb!\r\n",
    );
    expect((await replace("a\r\nb\r\nc\n", { find: "a\nb", replace: "x\ny\nz" })).after).toBe(
      "x\r\ny\r\nz\r\nc\n",
    );
  });

  it("refuses a replacement that would make the file explode", async () => {
    const { result, after } = await replace(`${"a".repeat(20_000)}\n`, {
      find: "a",
      replace: "b".repeat(1_000),
    });
    expect(result).toMatchObject({ ok: false, error: { code: "OUTPUT_TOO_LARGE" } });
    expect(after).toHaveLength(20_001);
  });
});
