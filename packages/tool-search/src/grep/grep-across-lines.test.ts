import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import { hasRipgrep } from "../../test-support/ripgrep.js";
import type { GrepResult } from "./grep-schema.js";

const TEXT = "begin\none\ntwo\nend\nbegin x\nend begin\nend\nlast\n";

async function across(pattern: string, files: Record<string, string>, args: object = {}) {
  const { succeed } = await realRuntime({ files });
  return succeed<GrepResult>("grep", { pattern, multiline: true, case_sensitive: true, context: 0, ...args });
}

describe("grep across lines", () => {
  it("FA5 a match over four lines is one match with its whole text", async () => {
    const { value, text } = await across("begin\\none\\ntwo\\nend", { "a.txt": TEXT });
    expect(value).toMatchObject({ totalMatches: 1, totalFiles: 1, shown: 1, truncated: false });
    expect(value.matches).toMatchObject([{ line: 1, endLine: 4, column: 1, text: "begin\none\ntwo\nend" }]);
    expect(text).toContain("Found 1 match in 1 file");
    expect(text).toContain("1:begin\n2:one\n3:two\n4:end");
  });

  it("FA5 distinguishes matches that share a line, with context around them", async () => {
    const { value } = await across("(?s)begin.*?end", { "a.txt": TEXT }, { context: 1 });
    expect(value.totalMatches).toBe(3);
    expect(value.matches?.map(({ line, endLine, text }) => [line, endLine, text])).toEqual([
      [1, 4, "begin\none\ntwo\nend"],
      [5, 6, "begin x\nend begin"],
      [6, 7, "end begin\nend"],
    ]);
    expect(value.matches?.at(-1)).toMatchObject({ column: 5, before: [], after: ["last"] });
  });

  it("FA5 pages and counts by matches", async () => {
    const files = { "a.txt": TEXT, "b.txt": "begin\nend\n" };
    const page = await across("(?s)begin.*?end", files, { max_results: 2, offset: 1 });
    expect(page.value.matches?.map(({ path, line }) => `${path}:${line}`)).toEqual(["a.txt:5", "a.txt:6"]);
    expect(page.value).toMatchObject({ totalMatches: 4, nextOffset: 3 });
    const counted = await across("(?s)begin.*?end", files, { output_mode: "count" });
    expect(counted.value.files?.map(({ path, count }) => [path, count])).toEqual([
      ["a.txt", 3],
      ["b.txt", 1],
    ]);
  });

  it("FA3 FA5 treats CRLF as a line end, unless the pattern names it", async () => {
    const files = { "a.txt": "one\r\ntwo\r\n" };
    expect((await across("one$\\ntwo$", files)).value.matches).toMatchObject([
      { text: "one\ntwo", endLine: 2 },
    ]);
    expect((await across("one\\r\\ntwo", files)).value.totalMatches).toBe(1);
    expect((await across("one.*?two", files)).value.totalMatches).toBe(0);
  });

  it.skipIf(!hasRipgrep)("FA5 totals equal those of ripgrep", async () => {
    const files = { "a.txt": TEXT, "b.txt": "a a\n\n\na\nb\n", "c.txt": "x" };
    const { root, succeed } = await realRuntime({ files });
    for (const pattern of [
      "(?s)begin.*?end",
      "\\n+",
      "\\s+\\w",
      "[^a]+",
      "a\\n*",
      "end\\n",
      "a",
      "(?s).+",
      "\\w+\\s",
    ]) {
      const found = spawnSync("rg", ["-U", "--no-config", "--json", "-e", pattern, root], {
        encoding: "utf8",
      });
      const { data } = JSON.parse(found.stdout.trim().split("\n").at(-1) ?? "") as RipgrepSummary;
      const args = { pattern, multiline: true, case_sensitive: true };
      const { value } = await succeed<GrepResult>("grep", args);
      const isInLines = pattern === "a";
      expect([pattern, value.totalMatches]).toEqual([
        pattern,
        isInLines ? data.stats.matched_lines : data.stats.matches,
      ]);
    }
  });
});

interface RipgrepSummary {
  readonly data: { readonly stats: { readonly matches: number; readonly matched_lines: number } };
}
