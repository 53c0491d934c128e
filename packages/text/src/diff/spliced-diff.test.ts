import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Splice, splicedDiff, spliceText, unifiedDiff } from "../index.js";

// Few different lines, so that inserted ones often equal their neighbours.
const text = fc
  .array(fc.constantFrom("a\n", "b\n", "\n", "c\r\n", "a"), { maxLength: 40 })
  .map((lines) => lines.join(""));
const pieces = fc.array(
  fc.record({
    skipped: fc.nat({ max: 30 }),
    replaced: fc.nat({ max: 6 }),
    replacement: fc.constantFrom("", "a", "a\n", "b\n", "\n", "x\ny\n", "a\na\n", "\r\n"),
  }),
  { maxLength: 4 },
);

describe("splicedDiff", () => {
  it("equals the diff of the whole texts", () => {
    fc.assert(
      fc.property(text, pieces, (before, wanted) => {
        const splices = place(before, wanted);
        const whole = unifiedDiff({ path: "f", before, after: spliceText(before, splices) });
        const startLine = before.slice(0, splices[0]?.start ?? 0).split("\n").length;
        expect(splicedDiff({ path: "f", before, splices })).toEqual(whole);
        expect(splicedDiff({ path: "f", before, splices, startLine })).toEqual(whole);
      }),
      { numRuns: 3000 },
    );
  });

  it("matches the last line of a long run of equal lines, where the whole texts show a new one", () => {
    const before = `${"same\n".repeat(50)}end\n`;
    const splices = [{ start: 5, end: 5, replacement: "same\n" }];
    const after = spliceText(before, splices);
    expect(splicedDiff({ path: "f", before, splices })).toEqual(unifiedDiff({ path: "f", before, after }));
  });

  it("is bounded by maxLines like unifiedDiff", () => {
    const before = "1\n2\n3\n4\n5\n";
    const { text: shown, truncated } = splicedDiff({
      path: "f",
      before,
      splices: [{ start: 4, end: 6, replacement: "x\ny\n" }],
      maxLines: 3,
    });
    expect(truncated).toBe(true);
    expect(shown).toContain("more lines of this diff not shown");
  });
});

interface Piece {
  readonly skipped: number;
  readonly replaced: number;
  readonly replacement: string;
}

function place(before: string, wanted: readonly Piece[]): Splice[] {
  let at = 0;
  return wanted.map(({ skipped, replaced, replacement }) => {
    const start = Math.min(before.length, at + skipped);
    at = Math.min(before.length, start + replaced);
    return { start, end: at, replacement };
  });
}
