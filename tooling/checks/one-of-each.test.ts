import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { entriesOf, packageJson, packageNames, ROOT, shippedSources } from "./source-files.js";

const sources = shippedSources();

describe("FP11 one of each", () => {
  it("composes the overlay from parts; none inherits from another", () => {
    const overlay = sources.filter(({ path }) => /core\/src\/workspace\/overlay-/.test(path));
    expect(overlay.length).toBeGreaterThan(4);
    expect(overlay.filter(({ text }) => /class \w+ extends/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("applies the rules of a role in one place", () => {
    const applying = sources.filter(({ text }) => /compileRules\((?:role|\w+\.role)\b/.test(text));
    expect(applying.map(({ path }) => path)).toEqual(["packages/core/src/approval/compose-policy.ts"]);
  });

  it("constructs the disk engine of the search tools in one place", () => {
    const opening = sources.filter(({ text }) => text.includes("new NodeSearchEngine("));
    expect(opening.map(({ path }) => path)).toEqual([
      "packages/tool-search/src/engine/node/open-search-engine.ts",
    ]);
  });

  it.each([
    ["the glob engine", /export function globMatcher\(/, "packages/text/src/glob/glob-matcher.ts"],
    [
      "the regular expression compiler",
      /export function compileNfa\(/,
      "packages/text/src/regex/compile-nfa.ts",
    ],
    ["the warm-up of schemas", /\bPLAIN_USES =/, "packages/core/src/schema/schema-check.ts"],
    [
      "the check that nothing would change",
      /"nothing would change"/,
      "packages/core/src/approval/policies.ts",
    ],
    [
      "the lookup of a stored approval by its call",
      /\.list\(\{ callId \}\)/,
      "packages/core/src/approval/approval-manager.ts",
    ],
  ])("has %s in one place", (_part, pattern, place) => {
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([place]);
  });

  it("installs no second engine for globs or regular expressions", () => {
    const installed = packageNames().flatMap((name) => Object.keys(packageJson(name).dependencies ?? {}));
    expect(installed.filter((name) => /glob|match|^re2/.test(name))).toEqual([]);
  });

  it("has no file that only re-exports, except the entries of packages", () => {
    const entries = new Set(
      packageNames().flatMap((name) => [...entriesOf(name).values()].map((file) => relative(ROOT, file))),
    );
    const passing = sources.filter(
      ({ path, text }) => !entries.has(join(path)) && withoutReexports(text).trim() === "",
    );
    expect(passing.map(({ path }) => path)).toEqual([]);
  });
});

function withoutReexports(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    .replaceAll(/^export (?:type )?\{[^}]*\} from "[^"]+";$/gm, "");
}
