import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const HERE = import.meta.dirname;
const run = promisify(execFile);

/** Needs Node 22 and its own packages. `pnpm test:current-majors` runs it, and so does `.ci/run`. */
const ELSEWHERE = new Set(["ai-sdk-7"]);

const folders = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
  .map(({ name }) => name);
const programs = folders
  .filter((name) => !ELSEWHERE.has(name))
  .map((name) => ({ name, main: existsSync(join(HERE, name, "main.ts")) ? "main.ts" : "main.js" }));

// Examples verify themselves: an assertion that fails ends them with a non-zero status.
describe("examples", () => {
  it.each(programs)("$name runs and its assertions hold", { timeout: 180_000 }, async ({ name, main }) => {
    const loader = main === "main.ts" ? ["--import", "tsx"] : [];
    const options = { cwd: join(HERE, name), timeout: 170_000 };
    const { stdout } = await run(process.execPath, [...loader, main], options);
    expect(stdout).not.toBe("");
  });

  it.each(folders)("%s is listed with a few lines about what it shows", (name) => {
    expect(read("README.md")).toContain(`[${name}](${name})`);
    if (name !== "demo") expect(read(`${name}/README.md`).split("\n").length).toBeLessThan(12);
  });

  it("FP8 every use that the documentation names has an example", () => {
    expect(folders).toEqual(
      expect.arrayContaining([
        ...["first-call", "own-tool", "services", "three-roles", "approval-in-a-web-page"],
        ...["custom-workspace", "ai-sdk-7", "langchain", "openai-agents", "raw-providers", "mcp"],
        "record-and-replay",
      ]),
    );
  });

  it.each(["own-tool/word-count.ts", "services/find-customer.ts"])(
    "FP7 %s is a complete tool in at most 20 lines, without a cast",
    (file) => {
      const source = read(file).trimEnd();
      expect(source.split("\n").length).toBeLessThanOrEqual(20);
      expect(source).not.toMatch(/\bas\b|\bany\b|@ts-/);
    },
  );
});

function read(path: string): string {
  return readFileSync(join(HERE, path), "utf8");
}
