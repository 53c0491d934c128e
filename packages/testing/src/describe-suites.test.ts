import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../tooling/testing/bundle-process.js";
import { ReplaceWord } from "../test-support/replace-word.js";
import { describeByteFidelity } from "./describe-byte-fidelity.js";
import { describeHostileArguments } from "./describe-hostile-arguments.js";
import { describeHostilePaths } from "./describe-hostile-paths.js";

const args = { path: "a.txt", from: "two", to: "zwei" };
const files = { "a.txt": "one\ntwo\n" };

describeByteFidelity(ReplaceWord, {
  path: "a.txt",
  before: "one\ntwo\nthree\n",
  after: "one\nzwei\nthree\n",
  args,
});
describeHostilePaths(ReplaceWord, { files, args });
describeHostileArguments(ReplaceWord, { files, args });

describe("S1 the conformance kit under node:test", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-node-test-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("runs every suite without vitest, and reports what bad tools break", async () => {
    const file = await bundleProcess(
      new URL("../test-support/node-test-suites.ts", import.meta.url),
      folder,
      ["vitest"],
    );
    const report = runUnderNodeTest(file);
    expect(report).toMatch(/^# tests \d{3}/m);
    const failed = [...report.matchAll(/^ *not ok \d+ - (.+)$/gm)].map(([, title]) => title);
    // Suites that contain a failed test are listed after it.
    expect(failed).toEqual([
      "keeps a byte order mark",
      "byte fidelity: forgets_marks",
      "path: a number in a text",
      "hostile arguments: surprises",
      "refuses a parameter it does not have",
      "the tool contract: takes_anything",
    ]);
    expect(report).toContain("Set additionalProperties: false in the schema");
  }, 60_000);

  it("only the contracts need a test runner", async () => {
    const file = await bundleProcess(new URL("../test-support/no-runner.ts", import.meta.url), folder, [
      "vitest",
    ]);
    const { VITEST: _vitest, ...env } = process.env;
    expect(execFileSync(process.execPath, [file], { encoding: "utf8", env })).toBe("read three words\n");
  }, 60_000);
});

function runUnderNodeTest(file: string): string {
  const { VITEST: _vitest, NODE_OPTIONS: _options, ...env } = process.env;
  try {
    return execFileSync(process.execPath, ["--test", "--test-reporter=tap", file], { encoding: "utf8", env });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
