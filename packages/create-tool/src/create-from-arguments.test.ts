import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFromArguments, scaffold } from "./index.js";

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-create-"));
  printed = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = (...args: string[]) =>
  createFromArguments(args, { cwd: folder, print: (text) => printed.push(text) });

describe("npm create @haft/tool", () => {
  it("writes a TypeScript tool and prints the next steps", async () => {
    expect(await create("word-count")).toBe(0);
    expect(existsSync(join(folder, "word-count/src/word-count.ts"))).toBe(true);
    expect(printed.join()).toMatch(/cd word-count\n {2}npm install\n {2}npm test\n {2}npm run build/);
  });

  it("accepts flags and asks nothing", async () => {
    expect(await create("word-count", "--js")).toBe(0);
    expect(existsSync(join(folder, "word-count/tsconfig.json"))).toBe(false);
    expect(await create("author", "--kind", "role")).toBe(0);
    expect(printed.at(-1)).toMatch(/^Created \.haft\/author\.json\. Next:/);
    expect(JSON.parse(readFileSync(join(folder, ".haft/author.json"), "utf8"))).toMatchObject({
      name: "author",
    });
  });

  it("describes a pack's configuration in its README, and a tool has none", async () => {
    expect(await create("tide-log", "--kind", "pack")).toBe(0);
    const readme = readFileSync(join(folder, "tide-log/README.md"), "utf8");
    expect(readme).toContain('"packConfig": { "tide_log": { "file": "tide-log.md" } }');
    await create("word-count");
    expect(readFileSync(join(folder, "word-count/README.md"), "utf8")).not.toContain("packConfig");
  });

  it("never overwrites files", async () => {
    await create("word-count");
    expect(await create("word-count")).toBe(2);
    expect(printed.at(-1)).toContain("ALREADY_EXISTS");
  });

  it.each([
    [],
    ["--nope"],
    ["Bad Name"],
    ["x", "--kind", "thing"],
    ["x", "--js", "--decorator"],
    ["x", "--kind", "pack", "--js", "--decorator"],
    ["x", "--kind", "role", "--js"],
    ["x", "--kind", "role", "--decorator"],
  ])("rejects %j with exit code 2 and the remedy", async (...args) => {
    expect(await create(...args)).toBe(2);
    expect(printed.join("\n")).toMatch(/Use |Usage|Leave out/);
  });

  it.each([
    ["Word Count", "such as word-count."],
    ["WordCount", "such as word-count."],
    ["word.count/2", "such as word-count-2."],
    ["2-words", "such as words."],
    ["con", "such as con-tool."],
    ["com1", "such as com1-tool."],
    ["node_modules", "such as node-modules-tool."],
    ["@Me/word-count", "such as word-count."],
    ["../escape", "such as escape."],
    ["\u00fcmlaut", "such as mlaut."],
    ["x".repeat(51), `such as ${"x".repeat(50)}.`],
    ["", "such as word-count."],
  ])("refuses the name %j and proposes one that works", async (name, proposal) => {
    expect(await create("--", name)).toBe(2);
    expect(printed.join("\n")).toContain("INVALID_NAME");
    expect(printed.join("\n")).toContain(proposal);
    expect(readdirSync(folder)).toEqual([]);
    const [, proposed = ""] = /such as (.*)\.$/.exec(proposal) ?? [];
    expect(scaffold({ kind: "tool", name: proposed, version: "0.1.0" }).folder).toBe(proposed);
  });

  it("accepts the scope of a package, but not for a role", async () => {
    expect(await create("@me/word-count")).toBe(0);
    const manifest = JSON.parse(readFileSync(join(folder, "word-count/package.json"), "utf8"));
    expect(manifest.name).toBe("@me/word-count");
    expect(await create("@me/author", "--kind", "role")).toBe(2);
  });

  it.each(["tool", "pack"] as const)(
    "names the tools of a %s so that every provider accepts them",
    (kind) => {
      for (const name of ["x".repeat(50), "a-1-b_2", "index", "default", "class", "tool-error"]) {
        const { files } = scaffold({ kind, name, version: "0.1.0" });
        for (const [, tool = ""] of JSON.stringify(files).matchAll(/name: \\"(\w+)\\"/g))
          expect(tool).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      }
    },
  );

  it("no other scaffold contains a word of the sample name", () => {
    const { files } = scaffold({ kind: "tool", name: "line-length", version: "0.1.0" });
    expect(JSON.stringify(files)).not.toMatch(/word.?count/i);
    expect(files["README.md"]).toContain("# Line length");
  });
});
