import { describe, expect, it } from "vitest";
import { PatternError } from "../pattern-error.js";
import { compileNfa } from "./compile-nfa.js";
import { parseRegex } from "./parse-regex.js";
import { DEFAULT_FLAGS } from "./regex-flags.js";

function failure(pattern: string): PatternError {
  try {
    compileNfa(parseRegex(pattern, DEFAULT_FLAGS));
  } catch (error) {
    if (error instanceof PatternError) return error;
    throw error;
  }
  throw new Error(`${pattern} was accepted`);
}

describe("rejected patterns", () => {
  it.each([
    ["a(?=c)", "look-ahead (?=…) is not supported", 1],
    ["a(?!c)", "negative look-ahead (?!…) is not supported", 1],
    ["(?<=a)c", "look-behind (?<=…) is not supported", 0],
    ["(?<!a)c", "negative look-behind (?<!…) is not supported", 0],
    ["(a)\\1", "back-reference \\1 is not supported", 3],
    ["(?P<x>a)(?P=x)", "named back-reference (?P=…) is not supported", 8],
    ["\\k<x>", "named back-reference \\k is not supported", 0],
    ["(?>a)", "atomic group (?>…) is not supported", 0],
    ["(?R)", "recursion is not supported", 2],
    ["(abc", "unclosed group", 0],
    ["ab)", "unopened group", 2],
    ["[a", "unclosed character class", 0],
    ["[[]", "unclosed character class", 1],
    ["*a", "repetition operator * without anything to repeat", 0],
    ["a{3,2}", "repetition range {3,2} is backwards", 1],
    ["[z-a]", "character range is backwards", 1],
    ["\\p{Nope}", "unknown Unicode property Nope", 0],
    ["\\y", "unknown escape \\y", 0],
    ["\\x{110000}", "hexadecimal escape is not a character", 0],
    ["a\\", "pattern ends in a lone backslash", 1],
    ["(?ii)a", "duplicate flag i", 3],
    ["(?i-)a", "- without a flag", 3],
    ["a|{2}", "repetition {2} without anything to repeat", 2],
    ["(?P<a>x)(?P<a>y)", "duplicate group name a", 12],
    ["((a{1,1000}){1,1000}){1,1000}", "pattern too large", 0],
  ])("%s", (pattern, construct, position) => {
    const error = failure(pattern);
    expect([error.construct, error.position]).toEqual([construct, position]);
    expect(error.hint).not.toBe("");
  });

  it("rejects patterns that are too long or too deep", () => {
    expect(failure("a".repeat(9000)).construct).toBe("pattern too long");
    expect(failure("(".repeat(300)).construct).toBe("groups nested too deeply");
    expect(failure("[".repeat(300)).construct).toBe("brackets nested too deeply");
  });
});
