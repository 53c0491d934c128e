import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { realRuntime } from "../../../test-support/real-runtime.js";
import { diskFixture } from "../../../test-support/search-fixture.js";

const MIB = 1024 * 1024;
const CALLS = [
  ["grep", { pattern: "needle" }],
  ["glob", { pattern: "**/*.txt" }],
  ["search", { query: "needle" }],
] as const;

/** Creates something at a path that is not a regular ignore file. */
type Put = (path: string) => void | Promise<void>;

const ODD: readonly (readonly [string, Put])[] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path])],
  ["a socket", listenAt],
  ["a link to /dev/zero", (path) => symlinkSync("/dev/zero", path)],
  ["a link to the outside", (path) => symlinkSync(join(rulesOutside(), "rules"), path)],
  ["a link to the inside", (path) => symlinkSync("rules", path)],
  ["a link to itself", (path) => symlinkSync(path, path)],
  ["a folder", (path) => void mkdirSync(path)],
];

const cases = ODD.flatMap(([what, put]) => CALLS.map(([tool, args]) => ({ what, put, tool, args })));

describe("an ignore file that is not a regular file", () => {
  it.each(cases)("S0.SAFE holds no rules and does not block: $what, $tool", async ({ put, tool, args }) => {
    const files = { "a.txt": "needle\n", rules: "*.txt\n", "r/.git/info/x": "", "r/b.txt": "needle\n" };
    const { at, succeed } = await realRuntime({ files });
    for (const path of [".gitignore", "r/.ignore", "r/.git/info/exclude"]) await put(at(path));
    const { value } = await succeed(tool, args);
    expect(JSON.stringify(value)).toContain("a.txt");
    expect(JSON.stringify(value)).toContain("r/b.txt");
  });

  it("applies no rules through a link to another repository's folder", async () => {
    const outside = rulesOutside();
    mkdirSync(join(outside, "info"));
    writeFileSync(join(outside, "info/exclude"), "*.txt\n");
    const { at, succeed } = await realRuntime({ files: { "a.txt": "needle\n", "r/b.txt": "needle\n" } });
    symlinkSync(outside, at(".git"));
    mkdirSync(at("r/.git"));
    symlinkSync(join(outside, "info"), at("r/.git/info"));
    const { value } = await succeed("grep", { pattern: "needle" });
    expect(value).toMatchObject({ totalMatches: 2 });
  });
});

describe("a huge ignore file", () => {
  it.each(CALLS)("applies its first 1 MiB: %s", async (tool, args) => {
    const comment = `#${"x".repeat(MIB - 10)}\n`;
    const files = {
      ".gitignore": `a.txt\n${comment}${"#\n".repeat(20)}b.txt\n`,
      "a.txt": "needle\n",
      "b.txt": "needle\n",
    };
    const { succeed } = await realRuntime({ files });
    const text = JSON.stringify((await succeed(tool, args)).value);
    expect(text).toContain("b.txt");
    expect(text).not.toContain('"a.txt');
  });
});

function rulesOutside(): string {
  const outside = diskFixture({ rules: "*.txt\n" });
  onTestFinished(outside.remove);
  return outside.root;
}

async function listenAt(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    server.close();
    rmSync(path, { force: true });
  });
}
