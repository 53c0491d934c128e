import { describe, expect, it } from "vitest";
import { compileNfa } from "./compile-nfa.js";
import { NfaSearch } from "./nfa-search.js";
import { parseLiteral, parseRegex } from "./parse-regex.js";
import { DEFAULT_FLAGS } from "./regex-flags.js";

const encoder = new TextEncoder();

function find(pattern: string, text: string): [number, number] | undefined {
  const bytes = encoder.encode(text);
  const span = new NfaSearch(compileNfa(parseRegex(pattern, DEFAULT_FLAGS))).find({
    bytes,
    from: 0,
    to: bytes.length,
  });
  return span && [span.start, span.end];
}

describe("the automaton and its simulation", () => {
  const cases: [pattern: string, text: string, span: [number, number] | undefined][] = [
    ["abc", "xabcx", [1, 4]],
    ["a|ab", "ab", [0, 1]],
    ["ab|a", "ab", [0, 2]],
    ["a+?", "aaa", [0, 1]],
    ["a+", "baaa", [1, 4]],
    ["(?U)a+", "aaa", [0, 1]],
    ["a{2,3}", "aaaa", [0, 3]],
    ["a{2}", "a", undefined],
    ["x{0}y", "y", [0, 1]],
    ["^b", "a\nb", [2, 3]],
    ["a$", "a\nb", [0, 1]],
    ["\\Ab", "a\nb", undefined],
    ["b\\z", "a\nb", [2, 3]],
    ["(?i)straße", "STRAẞE", [0, 8]],
    ["(?i)k", "\u212a", [0, 3]],
    ["\\bfoo\\b", "xfoo foo", [5, 8]],
    ["\\bé", "aé é", [4, 6]],
    ["\\Bo", "oo", [1, 2]],
    ["\\<o", "a o", [2, 3]],
    ["\\p{Han}+", "ab漢字c", [2, 8]],
    ["\\p{Greek}", "xα", [1, 3]],
    ["\\PL", "aé1", [3, 4]],
    ["[[:digit:]]+", "ab12", [2, 4]],
    ["[^[:alpha:]]", "ab1", [2, 3]],
    ["[a-z&&[^aeiou]]", "aeb", [2, 3]],
    ["[\\w--\\d]", "1a", [1, 2]],
    ["[]x]", "]", [0, 1]],
    ["[a-]+", "-a-", [0, 3]],
    ["(?x) a b # c\n c", "abc", [0, 3]],
    ["(?s)a.b", "a\nb", [0, 3]],
    ["a.b", "a\nb", undefined],
    [".", "é", [0, 2]],
    ["(?-u:\\xc3)", "é", [0, 1]],
    ["\\w+", "-naïve-", [1, 7]],
    ["(?-u:\\w+)", "naïve", [0, 2]],
    ["function f\\(\\) {", "function f() {", [0, 14]],
    ["\\Qa.b\\E", "axb a.b", [4, 7]],
    ["(?P<n>a)(?<m>b)", "ab", [0, 2]],
    ["(a*)*", "b", [0, 0]],
    ["(?:a?){25}a{25}", "a".repeat(25), [0, 25]],
    ["\\d", "٣", [0, 2]],
    ["\\s", "\u00a0", [0, 2]],
    ["\\u{e9}|\\x41", "Aé", [0, 1]],
    ["😀", "x😀", [1, 5]],
  ];
  it.each(cases)("%s in %j", (pattern, text, span) => {
    expect(find(pattern, text)).toEqual(span);
  });

  it("reads a literal without operators", () => {
    const bytes = encoder.encode("x a.b*");
    const nfa = compileNfa(parseLiteral("a.b*", DEFAULT_FLAGS));
    expect(new NfaSearch(nfa).find({ bytes, from: 0, to: bytes.length })).toEqual({ start: 2, end: 6 });
  });
});
