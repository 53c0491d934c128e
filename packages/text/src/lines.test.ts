import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, lineSpans, splitLines } from "./index.js";

const text = fc.string({
  unit: fc.constantFrom("a", "\n", "\r", "\u2028", "\u0085", "\v", "\f", "é"),
  maxLength: 20,
});

describe("lines", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\nb", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["\n\n", ["", ""]],
    ["a\rb\u2028c\u0085d\ve\f", ["a\rb\u2028c\u0085d\ve\f"]],
    ["a\r\nb\r", ["a", "b\r"]],
    ["a\r\r\n", ["a\r"]],
    ["\r\n", [""]],
  ])("%j", (value, lines) => {
    expect(splitLines(value)).toEqual(lines);
  });

  it("spans, lines and count agree, and the spans cover the text", () => {
    fc.assert(
      fc.property(text, (value) => {
        const spans = lineSpans(value);
        expect(spans.map(({ start, end }) => value.slice(start, end))).toEqual(splitLines(value));
        expect(spans.map(({ start, end, ending }) => value.slice(start, end) + ending).join("")).toBe(value);
        expect(countLines(value)).toBe(spans.length);
      }),
      { numRuns: 2000 },
    );
  });
});
