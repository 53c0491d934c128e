import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "./diff-lines.js";
import { printDiff, unifiedDiff } from "./unified-diff.js";

describe("unifiedDiff of a text that is completely new or deleted", () => {
  it("FR8 prints the same without splitting lines as a line-by-line comparison", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "\n", "\r\n", " "), { minLength: 1, maxLength: 20 })
      .map((parts) => parts.join(""));
    const maxLines = fc.constantFrom(0, 1, 2, 5, Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(
        text,
        maxLines,
        fc.boolean(),
        fc.constantFrom(undefined, ""),
        (given, most, isNew, other) => {
          const sides = isNew ? { before: other, after: given } : { before: given, after: other };
          const options = { path: "x", maxLines: most, ...sides };
          const compared = diffLines(sides.before ?? "", sides.after ?? "", 3);
          expect(unifiedDiff(options)).toEqual(printDiff(options, compared));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
