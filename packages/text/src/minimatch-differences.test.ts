import fc from "fast-check";
import { Minimatch, type MinimatchOptions } from "minimatch";
import { describe, expect, it } from "vitest";
import { compilePathPattern } from "./index.js";

// Earlier versions compiled rules with minimatch. HAFT_PATTERN_RUNS=100000 compares many more patterns.
const RUNS = Number(process.env.HAFT_PATTERN_RUNS ?? 3_000);
const OPTIONS: MinimatchOptions = {
  dot: true,
  noext: true,
  nocomment: true,
  nonegate: true,
  platform: "linux",
};

const part = fc.constantFrom(
  "a",
  "b",
  "ab",
  ".a",
  "*",
  "**",
  "?",
  "[ab]",
  "[!a]",
  "[a-b]",
  "[^b]",
  "[[:alpha:]]",
  "{a,b/c}",
  "{a,b}",
  "{a,b*}",
  "a*b",
  "*.b",
  "A",
  "\\*",
);
const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const glued = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
const name = fc.constantFrom("a", "b", "ab", ".a", "aab", "x.b", "*", "A", "c");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

describe("compilePathPattern", () => {
  it("FP11 matches like minimatch", () => {
    fc.assert(
      fc.property(fc.oneof(pattern, glued), path, fc.boolean(), (given, at, ignoreCase) => {
        const options = { ...OPTIONS, nocase: ignoreCase };
        const matchers = [new Minimatch(given, { ...options, matchBase: true })];
        if (given.endsWith("/**")) matchers.push(new Minimatch(given.slice(0, -3), options));
        const expected = matchers.some((matcher) => matcher.match(at));
        expect(compilePathPattern(given, { ignoreCase })(at), `${given} on ${at}`).toBe(expected);
      }),
      { numRuns: RUNS },
    );
  });
});
