import { NfaSearch, runAll } from "@haft/text/regex";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../../tooling/testing/processor-time.js";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import { SearchKernel } from "../kernel/search-kernel.js";
import { type CompiledPattern, compilePattern } from "./compile-pattern.js";
import { LineMatcher } from "./line-matcher.js";

const encoder = new TextEncoder();

function matchingLines(pattern: CompiledPattern, text: string): number[] {
  const bytes = encoder.encode(text);
  const kernel = new SearchKernel(bytes.length);
  kernel.bytes.set(bytes, KERNEL_LAYOUT.text);
  const lines: number[] = [];
  const from = KERNEL_LAYOUT.text;
  const steps = new LineMatcher(kernel, pattern).scan(from, from + bytes.length, (at) => {
    lines.push(kernel.scan.countByte(from, at, 10) + 1);
  });
  runAll(steps);
  return lines;
}

function simulatedLines(pattern: CompiledPattern, text: string): number[] {
  const search = new NfaSearch(pattern.nfa);
  return text
    .slice(0, -1)
    .split("\n")
    .flatMap((line, index) => {
      const bytes = encoder.encode(line);
      return search.isMatch({ bytes, from: 0, to: bytes.length }) ? [index + 1] : [];
    });
}

// A small linear congruential generator: the same cases on every machine.
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const ATOMS = [
  "a",
  "b",
  "foo",
  "bar",
  "x",
  "\\w",
  "\\d",
  "\\s",
  ".",
  "[ab]",
  "[^a]",
  "\\b",
  "^",
  "$",
  "é",
  "\\p{Lu}",
  "(?i:k)",
  "\\B",
];
const WORDS = [
  "a",
  "b",
  "foo",
  "bar",
  "Foo",
  "x",
  " ",
  "  ",
  "é",
  "É",
  "12",
  "_",
  "k",
  "K",
  "\u212a",
  "-",
  "漢",
  "ab",
  "\t",
];

function randomPattern(random: (limit: number) => number, depth = 0): string {
  const parts = Array.from({ length: 1 + random(3) }, () => {
    const inner =
      depth < 2 && random(4) === 0 ? `(?:${randomPattern(random, depth + 1)})` : ATOMS[random(ATOMS.length)];
    return `${inner}${["", "", "", "+", "*", "?", "{2}", "{1,3}", "+?"][random(9)]}`;
  });
  return random(5) === 0 ? `${parts.join("")}|${ATOMS[random(ATOMS.length)]}` : parts.join("");
}

describe("LineMatcher", () => {
  it("agrees with the simulation on random patterns", () => {
    const random = randomFrom(7);
    for (let round = 0; round < 400; round++) {
      const source = randomPattern(random);
      const text = Array.from({ length: 60 }, () =>
        Array.from({ length: random(8) }, () => WORDS[random(WORDS.length)]).join(""),
      ).join("\n");
      const pattern = compilePattern({ pattern: source, ignoreCase: random(3) === 0 });
      expect([source, matchingLines(pattern, `${text}\n`)]).toEqual([
        source,
        simulatedLines(pattern, `${text}\n`),
      ]);
    }
  });

  it("locates a plain text like the simulation", () => {
    const random = randomFrom(11);
    const words = (count: number) =>
      Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join("");
    let found = 0;
    for (let round = 0; round < 1000; round++) {
      const source = words(1 + random(2));
      const ignoreCase = random(2) === 0;
      const pattern = compilePattern({ pattern: source, literal: true, ignoreCase });
      const line = encoder.encode(words(random(20)));
      const kernel = new SearchKernel(256);
      const from = KERNEL_LAYOUT.text;
      const to = from + line.length;
      // Neighbouring lines contain the text too: a span never comes from them.
      kernel.bytes.set(encoder.encode(`\n${source}\n`), to);
      kernel.bytes.set(line, from);
      const simulated = new NfaSearch(pattern.nfa).find({ bytes: kernel.bytes, from, to });
      expect([source, runAll(new LineMatcher(kernel, pattern).span(from, to))]).toEqual([source, simulated]);
      if (simulated) found++;
    }
    expect(found).toBeGreaterThan(200);
  });

  it("agrees on lines longer than the kernel's steps", () => {
    const text = `${"a ".repeat(500)}needle${" b".repeat(500)}\n${"needl".repeat(300)}\nneedle\n`;
    expect(matchingLines(compilePattern({ pattern: "needle" }), text)).toEqual([1, 3]);
    expect(matchingLines(compilePattern({ pattern: "NEEDLE", ignoreCase: true }), text)).toEqual([1, 3]);
    expect(matchingLines(compilePattern({ pattern: "\\w+e\\b" }), text)).toEqual([1, 3]);
  });

  it("finds alternatives, windows and anchors", () => {
    const text = "one two\nthree\nfour1234\nfive 漢字\n\nexport function\n";
    const lines = (pattern: string) => matchingLines(compilePattern({ pattern }), text);
    expect(lines("one|three|five|nothing")).toEqual([1, 2, 4]);
    expect(lines("[a-z]{3}\\d{4}")).toEqual([3]);
    expect(lines("\\p{Han}+")).toEqual([4]);
    expect(lines("^$")).toEqual([5]);
    expect(lines("^export (async )?function")).toEqual([6]);
    expect(lines("x*")).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    "(x+x+)+y",
    "(?:a?){25}a{25}",
    "(a|b)*a(a|b){14}c",
    "(a*)*b",
    "(.*)(.*)(.*)[^a]$",
    "(a|aa)+$",
    "([a-z]+)*!",
  ])("%s stays linear over 200,000 characters", (pattern) => {
    const usedMs = measureProcessorTime();
    matchingLines(
      compilePattern({ pattern }),
      `${"ab".repeat(50_000)}\n${"x".repeat(50_000)}\n${"a".repeat(50_000)}\n`,
    );
    expect(usedMs()).toBeLessThan(2000);
  });
});
