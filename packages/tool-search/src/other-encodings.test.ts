import { describe, expect, it } from "vitest";
import { realRuntime } from "../test-support/real-runtime.js";
import type { GrepResult } from "./grep/grep-schema.js";
import type { SearchResult } from "./search/search-schema.js";

// "Привет" in KOI8-R.
const KOI8 = Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, 0x0a]);
const files = { "utf8.txt": "Привет\n", "old/koi.txt": KOI8, "ascii.txt": "hello\n" };

describe("FA6 a search for non-ASCII text names the files in other encodings", () => {
  it.each([["Привет"], ["\\p{Cyrillic}+"]])("grep %s", async (pattern) => {
    const { succeed } = await realRuntime({ files });
    const { value, text } = await succeed<GrepResult>("grep", { pattern });
    expect(value.totalFiles).toBe(1);
    expect(value.otherEncodings).toEqual({ files: 1, examples: ["old/koi.txt"], complete: true });
    expect(text).toContain("1 file not in UTF-8, where only ASCII text is found: old/koi.txt");
  });

  it("grep in a named file", async () => {
    const { succeed } = await realRuntime({ files });
    const { value } = await succeed<GrepResult>("grep", { pattern: "Привет", path: "old/koi.txt" });
    expect(value).toMatchObject({ totalMatches: 0, otherEncodings: { examples: ["old/koi.txt"] } });
  });

  it("search", async () => {
    const { succeed } = await realRuntime({ files });
    const { value, text } = await succeed<SearchResult>("search", { query: "привет" });
    expect(value.otherEncodings).toMatchObject({ files: 1, examples: ["old/koi.txt"] });
    expect(text).toContain("old/koi.txt");
  });

  it("gives no note if it makes no difference", async () => {
    const { succeed } = await realRuntime({ files });
    expect((await succeed<GrepResult>("grep", { pattern: "hello" })).value.otherEncodings).toBeUndefined();
    const inUtf8 = { pattern: "Привет", path: "utf8.txt" };
    expect((await succeed<GrepResult>("grep", inUtf8)).value.otherEncodings).toBeUndefined();
  });
});
