import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageNames, ROOT } from "./source-files.js";

const PAGE = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
const ROW = /^\| (\d+) +\| `([^`]+)` +\| `([^`]+)` +\|/gm;

// The maximum number of hops for a reader, including the rows shared with the other walk.
describe("FP11 the walks of docs/architecture.md", () => {
  it.each([
    ["One grep, file by file", 20],
    ["One edit, file by file", 45],
    ["One undo, file by file", 10],
  ])("%s: names files and functions that exist, in at most %i hops", (heading, most) => {
    const [, section = ""] = PAGE.split(`## ${heading}\n`);
    const rows = [...(section.split("\n## ")[0] ?? "").matchAll(ROW)];
    expect(rows.length).toBeGreaterThan(5);
    expect(Number(rows.at(-1)?.[1])).toBeLessThanOrEqual(most);
    for (const [, , file = "", name = ""] of rows) {
      const source = readFileSync(join(ROOT, "packages", file), "utf8");
      expect(source, `${file} ${name}`).toMatch(definitionOf(name));
    }
  });
});

const DECISIONS = readdirSync(join(ROOT, "docs/decisions")).map((name) => `docs/decisions/${name}`);
const NAMING = [
  "AGENTS.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/architecture.md",
  "docs/roles.md",
  ...DECISIONS,
  ...packageNames().map((name) => `packages/${name}/AGENTS.md`),
];

describe("FP11 files that pages for developers name", () => {
  const files = ["packages", "tooling", "bench", "docs"].flatMap((folder) => filesBelow(folder));

  it.each(NAMING)("%s: exist", (page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs|cjs|py))`/g)];
    const missing = named
      .map(([, file = ""]) => file)
      .filter((file) => !EXAMPLES.includes(file))
      .filter((file) => !files.some((path) => path.endsWith(`/${file}`)));
    expect(missing).toEqual([]);
  });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [`/${path}`];
    return ["node_modules", "dist"].includes(entry.name) ? [] : filesBelow(path);
  });
}

/** Files of a user's workspace. */
const EXAMPLES = ["src/credentials.ts"];

/** Matches a function, class or method of this name; a call is not enough. */
function definitionOf(name: string): RegExp {
  const method = `^ +(?:static |async |override |readonly )*${name}(?:\\([^;]*\\)(?:: [^;]+)? \\{$|: .*=> ?|\\($)`;
  return new RegExp(`(?:function|class) ${name}\\b|${method}`, "m");
}
