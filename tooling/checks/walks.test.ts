import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
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
    const rows = rowsOf(heading);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.at(-1)?.number).toBeLessThanOrEqual(most);
    for (const { file, name } of rows) expect(sourceOf(file), `${file} ${name}`).toMatch(definitionOf(name));
  });

  it.each([
    ["One grep, file by file", "One grep, file by file"],
    ["One edit, file by file", "One grep, file by file"],
    ["One undo, file by file", "One undo, file by file"],
  ])("%s: the file of an earlier row leads to each row", (heading, start) => {
    const own = rowsOf(heading);
    const shared = rowsOf(start).filter(({ number }) => number < (own[0]?.number ?? 1));
    const rows = [...shared, ...own];
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    const unreached = rows.slice(1).filter(({ file, name }, index) => {
      const connection = CONNECTIONS[name];
      if (connection !== undefined) return !calls(sourceOf(connection.file), connection.calls);
      return !rows.slice(0, index + 1).some((row) => leadsTo(row.file, { file, name }));
    });
    expect(unreached).toEqual([]);
  });
});

/** What connects a function to the rows before it, where they only know an interface or a callback. */
const CONNECTIONS: Readonly<Record<string, { readonly file: string; readonly calls: string }>> = {
  createMcpServer: { file: "mcp/src/serve-stdio.ts", calls: "createMcpServer" },
  wrapRuntime: { file: "runtime-node/src/create-node-runtime.ts", calls: "wrapRuntime" },
  statefulMethods: { file: "runtime-node/src/create-node-runtime.ts", calls: "createRuntime" },
  textPart: { file: "core/src/workspace/overlay-reader.ts", calls: "textPart" },
  makePolicySet: { file: "core/src/runtime/create-kernel.ts", calls: "makePolicySet" },
};

interface Row {
  readonly number: number;
  readonly file: string;
  readonly name: string;
}

function rowsOf(heading: string): readonly Row[] {
  const [, section = ""] = PAGE.split(`## ${heading}\n`);
  const found = [...(section.split("\n## ")[0] ?? "").matchAll(ROW)];
  return found.map(([, number, file = "", name = ""]) => ({ number: Number(number), file, name }));
}

function sourceOf(file: string): string {
  return readFileSync(join(ROOT, "packages", file), "utf8");
}

/** Returns whether a file calls something by this name, or imports a value from the file that has it. */
function leadsTo(from: string, { file, name }: Pick<Row, "file" | "name">): boolean {
  const code = sourceOf(from);
  const imports = code.matchAll(/^import (?!type )[^;]*? from "([^"]+)";$/gm);
  const isImported = [...imports].some(([, path = ""]) => basename(path) === `${basename(file, ".ts")}.js`);
  return isImported || calls(code.replace(definitionOf(name), ""), name);
}

/** A call of a function or method, outside of comments. */
function calls(source: string, name: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, "");
  return new RegExp(`\\b${name}\\??\\.?\\(`).test(code);
}

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
