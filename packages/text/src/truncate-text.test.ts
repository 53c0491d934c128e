import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, isWellFormed, truncateLine, truncateText } from "./index.js";

describe("truncateText", () => {
  const lines = "1\n2\n3\n4\n5\n";

  it("returns text within the limit unchanged", () => {
    const whole = { text: lines, truncated: false, omittedChars: 0, omittedLines: 0 };
    expect(truncateText(lines, {})).toEqual(whole);
    expect(truncateText(lines, { maxChars: 10, maxLines: 5 })).toEqual(whole);
  });

  it.each([
    [{ maxLines: 2 }, "1\n2\n", 6, 3],
    [{ maxLines: 2, keep: "tail" }, "4\n5\n", 6, 3],
    [{ maxLines: 2, keep: "both" }, "1\n…[3 lines, 6 chars omitted]\n5\n", 6, 3],
    [{ maxLines: 3, keep: "both" }, "1\n2\n…[2 lines, 4 chars omitted]\n5\n", 4, 2],
    [{ maxChars: 3 }, "1\n2", 7, 3],
    [{ maxChars: 3, keep: "tail" }, "\n5\n", 7, 3],
    [{ maxChars: 4, keep: "both" }, "1\n…[3 lines, 6 chars omitted]\n5\n", 6, 3],
    [{ maxChars: 0 }, "", 10, 5],
    [{ maxChars: 0, keep: "tail" }, "", 10, 5],
    [{ maxChars: 0, keep: "both" }, "…[5 lines, 10 chars omitted]\n", 10, 5],
    [{ maxLines: 1, maxChars: 1 }, "1", 9, 4],
    [{ maxLines: -1 }, "", 10, 5],
  ] as const)("%j", (options, text, omittedChars, omittedLines) => {
    expect(truncateText(lines, options)).toEqual({ text, truncated: true, omittedChars, omittedLines });
  });

  it("marks a cut inside a line with a line of its own", () => {
    expect(truncateText("abcdefgh", { maxChars: 4, keep: "both" }).text).toBe(
      "ab\n…[0 lines, 4 chars omitted]\ngh",
    );
  });

  it("respects both limits, counts the omitted text and splits no character", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "😀", "é"), maxLength: 30 });
    const limit = fc.option(fc.nat(20), { nil: undefined });
    fc.assert(
      fc.property(text, limit, limit, fc.constantFrom("head", "tail"), (value, maxChars, maxLines, keep) => {
        const result = truncateText(value, { maxChars, maxLines, keep });
        expect(result.text.length).toBeLessThanOrEqual(maxChars ?? Number.POSITIVE_INFINITY);
        expect(countLines(result.text)).toBeLessThanOrEqual(maxLines ?? Number.POSITIVE_INFINITY);
        expect(keep === "head" ? value.startsWith(result.text) : value.endsWith(result.text)).toBe(true);
        expect(result.text.length + result.omittedChars).toBe(value.length);
        expect(result.truncated).toBe(result.omittedChars > 0);
        expect(isWellFormed(result.text)).toBe(true);
        expect(isWellFormed(truncateText(value, { maxChars, maxLines, keep: "both" }).text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("truncateLine", () => {
  it.each([
    ["short", 5, "short"],
    ["longer", 5, "longe …[+1 chars]"],
    ["ab😀cd", 3, "ab …[+4 chars]"],
    ["ab😀cd", 4, "ab😀 …[+2 chars]"],
    ["abc", 0, " …[+3 chars]"],
  ])("%j to %i", (line, maxChars, expected) => {
    expect(truncateLine(line, maxChars)).toBe(expected);
  });
});
