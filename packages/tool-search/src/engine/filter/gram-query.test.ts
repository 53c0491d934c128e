import { runAll } from "@haft/text/regex";
import { describe, expect, it } from "vitest";
import { oddPattern } from "../../../test-support/odd-pattern.js";
import {
  anchoredPattern,
  pick,
  type Random,
  randomContent,
  randomFrom,
} from "../../../test-support/random-tree.js";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import { SearchKernel } from "../kernel/search-kernel.js";
import { type CompiledPattern, compilePattern, type PatternOptions } from "../match/compile-pattern.js";
import { textMatcher } from "../match/text-matcher.js";
import { gramQuery, mayMatch } from "./gram-query.js";

const ROUNDS = Number(process.env.HAFT_DIFF_ROUNDS ?? 40) * 10;
const kernel = new SearchKernel(65_536);
const from = KERNEL_LAYOUT.text;

/** Puts a text that ends in a newline into the kernel. Returns its end. */
function place(text: string | Uint8Array): number {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  kernel.bytes.set(bytes, from);
  kernel.bytes[from + bytes.length] = 0x0a;
  return from + bytes.length + 1;
}

function mayHoldMatch({ requirements }: CompiledPattern, end: number, log = 9): boolean {
  const grams = gramQuery(requirements);
  kernel.scan.collectGrams(from, end, log);
  const { bytes, words } = kernel;
  return grams === undefined || mayMatch(grams, { bytes, words, at: KERNEL_LAYOUT.grams, log });
}

function matches(pattern: CompiledPattern, end: number): boolean {
  let found = false;
  const steps = textMatcher(kernel, pattern, () => {}).scan(from, end, () => {
    found = true;
  });
  runAll(steps);
  return found;
}

function filterAllows(options: PatternOptions | string, text: string): boolean {
  const pattern = compilePattern(typeof options === "string" ? { pattern: options } : options);
  return mayHoldMatch(pattern, place(text), 16);
}

function randomPattern(random: Random): PatternOptions {
  const pattern = random(4) === 0 ? oddPattern(random).pattern : anchoredPattern(random);
  const options = { ignoreCase: random(2) === 0, multiline: random(3) === 0 };
  return random(5) === 0
    ? { pattern: pick(random, LITERALS), literal: true, ...options }
    : { pattern, ...options };
}

const LITERALS = [
  "foo",
  "FOObar",
  "ſk",
  "KELVIN",
  "kelvin",
  "ÉTÉ",
  "été",
  "x\ny",
  "漢漢",
  "TODO end",
  "straße",
];
const PHRASES = ["Kelvin ſKK", "été ÉTÉ Été", "x\ny", "STRASSE straße", "FoObAr", "漢漢", "todo END"];

describe("the grams of a file", () => {
  it(`never rule out a matching text, in ${ROUNDS} random cases`, { timeout: 1_800_000 }, () => {
    const random = randomFrom(Number(process.env.HAFT_DIFF_SEED ?? 5));
    let ruledOut = 0;
    let matching = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const options = randomPattern(random);
      const content = random(3) === 0 ? `a${pick(random, PHRASES)}b\n` : randomContent(random);
      const pattern = compileOrNot(options);
      if (!pattern) continue;
      const end = place(content);
      const isAllowed = mayHoldMatch(pattern, end, 9 + random(8));
      const isMatch = matches(pattern, end);
      if (isMatch && !isAllowed)
        expect.fail(`${JSON.stringify(options)} in ${JSON.stringify(String(content))}`);
      ruledOut += isAllowed ? 0 : 1;
      matching += isMatch ? 1 : 0;
    }
    // Neither set may be empty, or the test proves nothing.
    expect(Math.min(ruledOut, matching)).toBeGreaterThan(ROUNDS / 50);
  });

  it.each<[string, PatternOptions | string, string]>([
    ["a literal", "needle", "nothing to see"],
    ["a caseless literal", { pattern: "NEEDLE", ignoreCase: true }, "nothing to see"],
    ["all of several words", "need.*haystack", "all you need"],
    ["each of some alternatives", "needle|thimble|pin cushion", "a haystack"],
    ["a class of other scripts", "\\p{Han}+", "plain text, naïve"],
    ["a text across lines", { pattern: "end\\nbegin", multiline: true }, "end\n begin"],
    ["two letters and more", "\\bfo[ox]\\b", "bar"],
  ])("rule out %s that is not there", (_, options, text) => {
    expect(filterAllows(options, text)).toBe(false);
  });

  it.each<[string, PatternOptions | string, string]>([
    ["another case", { pattern: "NEEDLE", ignoreCase: true }, "a Needle"],
    ["another case of what is asked for exactly, which only reading tells", "needle", "a NEEDLE"],
    ["the Kelvin sign for a k", { pattern: "kelvin", ignoreCase: true }, "\u212aelvin"],
    ["the long s for an s", { pattern: "sound", ignoreCase: true }, "\u017found"],
    ["one of the alternatives", "needle|thimble|pin cushion", "a thimble"],
    ["a word at the very end", "last", "the last"],
    ["a word at the very start", "first", "first one"],
    ["too little to go by", "ab", "nothing"],
    ["anything at all", ".*", "x"],
    ["what is not there, by its absence", "[^a-z]+", "abc"],
  ])("allow %s", (_, options, text) => {
    expect(filterAllows(options, text)).toBe(true);
  });
});

function compileOrNot(options: PatternOptions): CompiledPattern | undefined {
  try {
    return compilePattern(options);
  } catch {
    // A line break without multiline, or syntax of JavaScript alone.
    return undefined;
  }
}
