import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import {
  detectLineEnding,
  dominantLineEnding,
  type LineEnding,
  splitLines,
  withLineEnding,
} from "./index.js";

const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\r\n"), maxLength: 20 });
const ending = fc.constantFrom<LineEnding>("lf", "crlf");

describe("detectLineEnding and dominantLineEnding", () => {
  it.each([
    ["", "none", undefined],
    ["a", "none", undefined],
    ["a\nb\n", "lf", "lf"],
    ["a\r\nb", "crlf", "crlf"],
    ["a\rb\r", "cr", undefined],
    ["a\rb\n", "lf", "lf"],
    ["\na\r\nb\r\n", "mixed", "crlf"],
    ["a\r\nb\nc\n", "mixed", "lf"],
    ["a\nb\r\n", "mixed", "lf"],
    ["a\r\nb\n", "mixed", "crlf"],
    ["\n\r\n", "mixed", "lf"],
  ])("%j is %s, mostly %s", (value, detected, dominant) => {
    expect(detectLineEnding(value)).toBe(detected);
    expect(dominantLineEnding(value)).toBe(dominant);
  });
});

describe("withLineEnding", () => {
  it.each([
    ["a\nb\r\nc", "crlf", "a\r\nb\r\nc"],
    ["a\nb\r\nc", "lf", "a\nb\nc"],
    ["a\r\r\nb", "lf", "a\nb"],
    ["a\r\r\nb", "crlf", "a\r\nb"],
    ["a\rb", "crlf", "a\rb"],
  ] as const)("%j as %s", (value, to, expected) => {
    expect(withLineEnding(value, to)).toBe(expected);
  });

  it("leaves one kind of ending, and is idempotent", () => {
    fc.assert(
      fc.property(text, ending, (value, to) => {
        const once = withLineEnding(value, to);
        expect(withLineEnding(once, to)).toBe(once);
        expect(dominantLineEnding(once)).toBe(value.includes("\n") ? to : undefined);
        expect(detectLineEnding(once)).not.toBe("mixed");
        expect(splitLines(once)).toHaveLength(splitLines(value).length);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes linear time on a long run of carriage returns", () => {
    const usedMs = measureProcessorTime();
    expect(withLineEnding("\r".repeat(200_000), "lf")).toHaveLength(200_000);
    expect(usedMs()).toBeLessThan(1000);
  });
});
