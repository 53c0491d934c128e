import { splitLines } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextLines } from "./text-lines.js";

describe("TextLines", () => {
  it("finds the first line that equals the requested one, with any line ending", () => {
    const piece = fc.constantFrom("a", "ab", "b", " ", "\r", "\n", "\r\n", "\u00e9");
    const text = fc.array(piece, { maxLength: 60 }).map((all) => all.join(""));
    const wanted = fc.constantFrom("a", "ab", "aa", "a\r", "\r", "b a", "\u00e9");
    fc.assert(
      fc.property(text, wanted, fc.nat({ max: 30 }), (given, line, from) => {
        const expected = splitLines(given).indexOf(line, from);
        expect(new TextLines(given).indexOf(line, from)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("scans a long line once, even if it contains the text everywhere", () => {
    const lines = new TextLines(`${"a".repeat(2_000_000)}\naa\n`);
    expect(lines.indexOf("aa", 0)).toBe(1);
  });
});
