import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAll, replaceLiterally } from "./index.js";

describe("replaceLiterally", () => {
  it("treats dollar signs literally", () => {
    expect(replaceLiterally("a X b X", "X", "$& $1 $$ $`")).toEqual({
      text: "a $& $1 $$ $` b $& $1 $$ $`",
      count: 2,
    });
  });

  it("does not match its own output or overlapping text", () => {
    expect(replaceLiterally("aaa", "a", "aa")).toEqual({ text: "aaaaaa", count: 3 });
    expect(replaceLiterally("aaaa", "aaa", "b")).toEqual({ text: "ba", count: 1 });
  });

  it("changes nothing if there is nothing to find", () => {
    expect(replaceLiterally("abc", "", "x")).toEqual({ text: "abc", count: 0 });
    expect(replaceLiterally("abc", "z", "x")).toEqual({ text: "abc", count: 0 });
  });

  it("equals split and join", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "$", "&"), maxLength: 20 });
    fc.assert(
      fc.property(text, text.filter(Boolean), text, (value, find, replacement) => {
        const parts = value.split(find);
        expect(replaceLiterally(value, find, replacement)).toEqual({
          text: parts.join(replacement),
          count: parts.length - 1,
        });
        expect(findAll(value, find).every((at) => value.startsWith(find, at))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
