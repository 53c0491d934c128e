import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KEPT_ELSEWHERE, REQUIREMENT_IDS } from "./requirement-ids.js";
import { packageNames, ROOT } from "./source-files.js";

/** Returns the text of every test file in a folder. */
function testsIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
    .map((name) => readFileSync(join(ROOT, folder, name), "utf8"));
}

const ANY_ID = /\bS[0-4]\.[A-Z0-9]+(?:\.[0-9a-z]+)?/g;

describe("S1.T1 every requirement has a test", () => {
  it("S1.T1 every package is tested beside its code", () => {
    const untested = packageNames().filter((name) => testsIn(join("packages", name, "src")).length === 0);
    expect(untested).toEqual([]);
  });

  it("S1.T1 every requirement is in the title of a test", () => {
    const folders = [...packageNames().map((name) => join("packages", name, "src")), "tooling/checks"];
    const found = new Set(folders.flatMap(testsIn).flatMap((text) => text.match(ANY_ID) ?? []));
    const missing = REQUIREMENT_IDS.filter((id) => !found.has(id) && KEPT_ELSEWHERE[id] === undefined);
    expect(missing).toEqual([]);
  });

  it("FP10 docs/requirement-ids.md explains the findings that titles name, and no others", () => {
    const page = readFileSync(join(ROOT, "docs/requirement-ids.md"), "utf8");
    const explained = [...page.matchAll(/^\| (F[ERAPU]\d+) /gm)].map(([, id = ""]) => id);
    const named = [...packageNames().map((name) => join("packages", name, "src")), "tooling/checks"]
      .flatMap(testsIn)
      .flatMap((text) => text.match(/\bF[ERAPU]\d+\b/g) ?? []);
    expect(explained.sort()).toEqual([...new Set(named)].sort());
  });

  it("S1.T1 unit, whole runtime, and command: each kind of test exists", () => {
    const cli = testsIn("packages/cli/src").join("\n");
    expect(cli).toContain("runHaft(");
    expect(testsIn("packages/tool-fs/src").join("\n")).toMatch(/createTestRuntime|describeToolContract/);
    expect(testsIn("packages/runtime-node/src").join("\n")).toContain("createNodeRuntime");
  });

  it("S2.DOD nine tenths of the lines and branches of what ships are covered, or the build fails", () => {
    const config = readFileSync(join(ROOT, "vitest.config.ts"), "utf8");
    const gates = [...config.matchAll(/(lines|branches): (\d+)/g)].map(([, , least]) => Number(least));
    expect(gates.length).toBeGreaterThan(0);
    expect(Math.min(...gates)).toBeGreaterThanOrEqual(90);
  });
});
