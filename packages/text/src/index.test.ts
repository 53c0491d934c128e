import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as text from "./index.js";

describe("@haft/text", () => {
  it("exports exactly this", () => {
    expect(Object.keys(text).sort()).toEqual([
      "DecodingError",
      "EncodingError",
      "changesWhatRuns",
      "commonEnds",
      "compilePathPattern",
      "compilePathSelection",
      "countLines",
      "countNewlines",
      "countOf",
      "createShapeRedactor",
      "createTextStreamDecoder",
      "cutAfter",
      "cutBefore",
      "declaredCharset",
      "decodeLossily",
      "decodeText",
      "decodeTextSteps",
      "describeBytes",
      "detectEncoding",
      "detectLineEnding",
      "dominantLineEnding",
      "encodeText",
      "encodeTextSteps",
      "estimateTokens",
      "findAll",
      "findTextPart",
      "groupDigits",
      "hasMoreValues",
      "inspectEncoding",
      "isWellFormed",
      "lineAt",
      "lineSpans",
      "looksBinary",
      "markValue",
      "measureJson",
      "nearestNames",
      "plainWords",
      "problemWithWords",
      "redactShapes",
      "renderForHuman",
      "renderInline",
      "renderJson",
      "replaceLiterally",
      "runAll",
      "spliceText",
      "splicedDiff",
      "splitLines",
      "textColumns",
      "textFormatOf",
      "toBase64",
      "toCamelCase",
      "toSnakeCase",
      "truncateLine",
      "truncateText",
      "unifiedDiff",
      "unifiedDiffSteps",
      "untrusted",
      "utf8Position",
      "withLineEnding",
      "wrapColumns",
    ]);
  });

  it("does not depend on its platform", () => {
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

  it("distinguishes well-formed text from text with lone surrogates", () => {
    expect(["", "a😀", "\ufffd"].every(text.isWellFormed)).toBe(true);
    expect(["\ud83d", "\ude00a", "\ude00\ud83d"].some(text.isWellFormed)).toBe(false);
  });
});
