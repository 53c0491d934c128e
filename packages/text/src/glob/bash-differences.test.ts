// Random patterns with groups and classes, judged by bash itself.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globMatcher } from "./glob-matcher.js";

const hasBash = spawnSync("bash", ["--version"]).status === 0;
const RUNS = Number(process.env.HAFT_BASH_RUNS ?? 60);

// Reads a pattern and names, each terminated by NUL, and prints 1 or 0 for each name. After a "*", bash never tries a
// group at the end of the name: contrary to its manual, "*@(|b)" rejects "a" and "a*!(b)c" accepts "a". An additional
// last character avoids that, as long as the star is not inside a group.
const SCRIPT = `shopt -s extglob; IFS= read -r -d '' pattern
while IFS= read -r -d '' name; do [[ $name/ == $pattern/ ]] && printf 1 || printf 0; done`;
const STUMBLES = /\(.*\*(?:\?*[@+!?*]\([^()]*\))*\?*[@+!]\(/;

function byBash(pattern: string, names: readonly string[]): readonly string[] {
  const input = [pattern, ...names].map((text) => `${text}\0`).join("");
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
  const { stdout } = spawnSync("bash", ["-c", SCRIPT], {
    input,
    env,
    encoding: "utf8",
  });
  return names.filter((_, index) => stdout[index] === "1");
}

function byUs(pattern: string, names: readonly string[]): readonly string[] {
  return names.filter(globMatcher(pattern, { dot: true }));
}

const atom = fc.constantFrom(
  ..."abcAB1_é".split(""),
  ...[
    "*",
    "?",
    "[ab]",
    "[!a]",
    "[^b]",
    "[a-c]",
    "[\\1-\\3]",
    "[[:word:]]",
    "[[:digit:]]",
    "[[:alpha:]_]",
    "[(]",
    "[)a]",
  ],
  ...["\\*", "\\(", "[B-a]", "[]a]", "[a-]", "[\\]]", "[|]", "[[:upper:]]"],
);
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
    fc
      .tuple(fc.constantFrom("@", "+", "*", "?", "!"), fc.array(tie("node"), { minLength: 1, maxLength: 3 }))
      .map(([sign, choices]) => `${sign}(${choices.join("|")})`),
  ),
})).node;
const name = fc
  .array(fc.constantFrom(..."aabbcAB13_é()|]-*".split("")), { minLength: 1, maxLength: 5 })
  .map((chars) => chars.join(""));

describe.skipIf(!hasBash)("globs and bash", () => {
  it(`FA11 agree on the names that ${RUNS} random patterns match`, { timeout: 300_000 }, () => {
    const names = fc.uniqueArray(name, { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(pattern, names, (glob, candidates) => {
        fc.pre(!STUMBLES.test(glob));
        expect(byUs(glob, candidates), glob).toEqual(byBash(glob, candidates));
      }),
      { numRuns: RUNS, seed: Number(process.env.HAFT_BASH_SEED ?? 9), endOnFailure: true },
    );
  });

  it.each([
    ["[\\1-\\3]", ["1", "2", "3", "4", "\\"], ["1", "2", "3"]],
    ["[[:word:]]", ["a", "_", "1", "-", ":"], ["a", "_", "1"]],
    ["@(a|a[(])b", ["ab", "a(b", "b"], ["ab", "a(b"]],
    ["\\**@(?([\\1-\\3])|B)", ["*", "*a", "*B", "*2", "*a3", "B", "a"], ["*", "*a", "*B", "*2", "*a3"]],
    ["*@(|B)", ["a", "B", "aB"], ["a", "B", "aB"]],
    ["a*!(b)c", ["a", "ac", "abc", "abcc"], ["ac", "abc", "abcc"]],
    ["*+(?(1))", ["a", "1", "a1"], ["a", "1", "a1"]],
  ])("FA11 %s on %j", (glob, names, expected) => {
    expect(byUs(glob, names)).toEqual(expected);
    expect(byBash(glob, names)).toEqual(expected);
  });
});
