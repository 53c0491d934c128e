import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as text from "./index.js";

describe("@haft/text", () => {
  it("exports exactly this", () => {
    expect(Object.keys(text).sort()).toEqual([
      "DecodingError",
      "EncodingError",
      "commonEnds",
      "compilePathPattern",
      "countLines",
      "countNewlines",
      "createTextStreamDecoder",
      "cutAfter",
      "cutBefore",
      "decodeText",
      "detectEncoding",
      "detectLineEnding",
      "dominantLineEnding",
      "encodeText",
      "estimateTokens",
      "findAll",
      "findTextPart",
      "isWellFormed",
      "lineAt",
      "lineSpans",
      "looksBinary",
      "nearestNames",
      "redactShapes",
      "renderForHuman",
      "renderInline",
      "renderJson",
      "replaceLiterally",
      "spliceText",
      "splicedDiff",
      "splitLines",
      "toCamelCase",
      "toSnakeCase",
      "truncateLine",
      "truncateText",
      "unifiedDiff",
      "untrusted",
      "utf8Position",
      "withLineEnding",
    ]);
  });

  it("knows nothing of the platform it runs on", () => {
    const folder = new URL(".", import.meta.url);
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
    );
    expect(sources.length).toBeGreaterThan(20);
    for (const name of sources) {
      const code = readFileSync(new URL(name, folder), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
      expect(code, name).not.toMatch(/from "(node:|buffer|fs|path)|\bBuffer\b|\bprocess\b|\brequire\(/);
    }
  });

  it("tells well-formed text from text with lone surrogates", () => {
    expect(["", "a😀", "\ufffd"].every(text.isWellFormed)).toBe(true);
    expect(["\ud83d", "\ude00a", "\ude00\ud83d"].some(text.isWellFormed)).toBe(false);
  });
});
