import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePathPattern } from "./index.js";
import { pathExamples } from "./path-examples.js";

const segment = fc.constantFrom("a", "b.ts", "*", "*.ts", "**", "?x", "{a,c}", "\\*", "src");
const pattern = fc
  .tuple(fc.constantFrom("", "/", "./"), fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([start, segments, isFolder]) => `${start}${segments.join("/")}${isFolder ? "/" : ""}`);

describe("pathExamples", () => {
  it("contain one that the pattern matches exactly", () => {
    fc.assert(
      fc.property(pattern, (each) => {
        expect(pathExamples(each)?.some(compilePathPattern(each))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("returns none for classes", () => {
    expect(pathExamples("a/[bc]")).toBeUndefined();
    expect(pathExamples("a/\\[id]")).toContain("a/[id]");
  });
});
