import { describe, expect, it } from "vitest";
import { PatternError } from "../pattern-error.js";
import { TextRegex } from "./text-regex.js";

function matches(pattern: string, text: string, options: { ignoreCase?: boolean; literal?: boolean } = {}) {
  const regex = new TextRegex({ pattern, ...options });
  const groups = regex.groups.map((_, index) => index + 1);
  return [...regex.matches(text, groups)]
    .filter((match) => match !== undefined)
    .map((match) => [
      text.slice(match.start, match.end),
      ...groups.map((group) => {
        const span = match.groups.get(group);
        return span && text.slice(span.start, span.end);
      }),
    ]);
}

describe("TextRegex", () => {
  it.each<[string, string, (string | undefined)[][]]>([
    [
      "(a+)(b*)",
      "aab a",
      [
        ["aab", "aa", "b"],
        ["a", "a", ""],
      ],
    ],
    [
      "(a)|(b)",
      "ba",
      [
        ["b", undefined, "b"],
        ["a", "a", undefined],
      ],
    ],
    ["(?:(a)|(b))+", "ab", [["ab", "a", "b"]]],
    ["(a|ab)(c|bcd)(d*)", "abcd", [["abcd", "a", "bcd", ""]]],
    ["(a+?)(a*)", "aaa", [["aaa", "a", "aa"]]],
    ["((a)(b)?)+", "aba", [["aba", "a", "a", "b"]]],
    [
      "(x)?(y){2}",
      "yyxyy",
      [
        ["yy", undefined, "y"],
        ["xyy", "x", "y"],
      ],
    ],
    ["(\\w+)@(\\w+)", "jörg@müller", [["jörg@müller", "jörg", "müller"]]],
    ["(😀)(é)", "x😀é", [["😀é", "😀", "é"]]],
    ["x*", "axb", [[""], ["x"], [""]]],
    ["", "é😀", [[""], [""], [""]]],
    ["(|a)*", "aa", [["aa", "a"]]],
    [
      "(|a)+",
      "aa",
      [
        ["", ""],
        ["", ""],
        ["", ""],
      ],
    ],
    ["[^\\s\\S]|b", "ab", [["b"]]],
    ["\\101\\0\\12", "A\0\n", [["A\0\n"]]],
  ])("FA4 FA11 %s in %j", (pattern, text, expected) => {
    expect(matches(pattern, text)).toEqual(expected);
  });

  it.each([
    ["\\bcaf\\b", "café caf", ["caf"]],
    ["\\d+", "٣4", ["٣4"]],
    ["a\\sb", "a\u00a0b", ["a\u00a0b"]],
    ["(?-u:\\w+)", "naïve", ["na", "ve"]],
  ])("FA4 %s knows letters, digits and blanks of all scripts", (pattern, text, expected) => {
    expect(matches(pattern, text).map(([whole]) => whole)).toEqual(expected);
  });

  it.each([
    ["a$", "a\r\nb", ["a"]],
    [".+", "a\r\nb\r\n", ["a", "b"]],
    ["[^,\\n]*$", "x,a\r\ny", ["a", "y"]],
    ["a\\nb", "a\r\nb", ["a\r\nb"]],
    ["\\s+$", "a  \r\nb", ["  "]],
    ["^", "a\r\nb", ["", ""]],
    ["\\r\\n", "a\r\nb\n", ["\r\n"]],
    ["a\\r$", "a\r\nb", ["a\r"]],
    ["[^\\r\\n]+", "a\r\nb", ["a", "b"]],
    [".$", "a\rb\r", ["b"]],
  ])("FA3 %s in %j treats CRLF as one line end unless it names \\r", (pattern, text, expected) => {
    expect(matches(pattern, text).map(([whole]) => whole)).toEqual(expected);
  });

  it("ignores case and matches literally on request", () => {
    expect(matches("STRASSE.", "strasse. strassex", { ignoreCase: true, literal: true })).toEqual([
      ["strasse."],
    ]);
    expect(matches("k", "\u212a", { ignoreCase: true })).toEqual([["\u212a"]]);
  });

  it("refuses to match a part of a character", () => {
    expect(() => matches("(?-u:\\xc3)", "é")).toThrow(PatternError);
  });

  it("FR3 pauses within a long match and within a long search", () => {
    const regex = new TextRegex({ pattern: "(?:(a|aa)+)+b" });
    const steps = [...regex.matches("a".repeat(20_000), [1])];
    expect(steps.length).toBeGreaterThan(5);
    const long = [...new TextRegex({ pattern: "((a)|b)+" }).matches("ab".repeat(20_000), [1, 2])];
    expect(long.length).toBeGreaterThan(5);
    expect(long.at(-1)?.groups.get(2)).toEqual({ start: 39_998, end: 39_999 });
  });

  it("resolves more groups than fit in one pass", () => {
    const pattern = `(?:${Array.from({ length: 40 }, (_, index) => `(${String.fromCharCode(97 + (index % 26))}{1,400})`).join("")})`;
    const text = Array.from({ length: 40 }, (_, index) =>
      String.fromCharCode(97 + (index % 26)).repeat(2),
    ).join("");
    expect(matches(pattern, text)[0]?.slice(1)).toEqual(text.match(/../g));
  });
});
