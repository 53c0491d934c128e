import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const examples = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, "main.js")),
);

// Examples verify themselves: an assertion that fails ends them with a non-zero status.
describe("examples", () => {
  it.each(examples)("%s runs and finds what it expects", (name) => {
    const output = execFileSync(process.execPath, ["main.js"], {
      cwd: join(import.meta.dirname, name),
      encoding: "utf8",
      stdio: "pipe",
    });
    expect(output).not.toBe("");
  });

  it("a tool of one's own takes at most 25 lines", () => {
    const lines = readFileSync(join(import.meta.dirname, "own-tool/word-count.js"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.length).toBeLessThanOrEqual(25);
  });
});
