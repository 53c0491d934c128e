// Runs the same trees, patterns and options through ripgrep and through the tools. `pnpm test:diff` runs thousands. AGENTS.md lists the permitted
// differences and their reasons.
import { Buffer } from "node:buffer";
import { createNodeRuntime } from "@haft/runtime-node";
import { compilePathPattern } from "@haft/text";
import { describe, expect, it, vi } from "vitest";
import { changeSomething, readTree } from "../test-support/change-tree.js";
import { linesMatching } from "../test-support/odd-pattern.js";
import { type GrepQuery, randomGlob, randomGrep } from "../test-support/random-query.js";
import { foldersOf, randomFrom, randomTree } from "../test-support/random-tree.js";
import {
  type Found,
  hasRipgrep,
  ripgrepFiles,
  ripgrepIgnores,
  ripgrepLines,
} from "../test-support/ripgrep.js";
import { diskFixture, type FixtureFiles } from "../test-support/search-fixture.js";
import type { GlobResult } from "./glob/glob-schema.js";
import type { GrepResult } from "./grep/grep-schema.js";
import "./index.js";

const ROUNDS = Number(process.env.HAFT_DIFF_ROUNDS ?? 60);
const SEED = Number(process.env.HAFT_DIFF_SEED ?? 11);
const QUERIES_PER_TREE = 6;

// With the clock an hour ahead, all files count as unchanged, so that caches apply from the second search.
const realNow = Date.now;
vi.spyOn(Date, "now").mockImplementation(() => realNow() + 3_600_000);
// A change shortly after a search may still get the time of the previous one.
const TICK_MS = 10;

type Runtime = Awaited<ReturnType<typeof createNodeRuntime>>;

async function withTree(
  files: FixtureFiles,
  work: (root: string, runtime: Runtime) => Promise<void>,
): Promise<void> {
  const tree = diskFixture(files);
  const state = diskFixture({});
  const runtime = await createNodeRuntime({
    role: "reader",
    workspace: tree.root,
    stateDirectory: state.root,
  });
  await work(tree.root, runtime);
  await runtime.dispose();
  tree.remove();
  state.remove();
}

/** Returns all pages of a call, as ripgrep would list them; undefined if the pattern is rejected. */
async function grepLines(runtime: Runtime, { args }: GrepQuery): Promise<Found | undefined> {
  const found = new Map<string, number | undefined>();
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const result = await runtime.call("grep", { ...args, offset, max_results: 300 });
    if (!result.ok) {
      expect(result.error.code).toBe("INVALID_PATTERN");
      return undefined;
    }
    const value = result.value as GrepResult;
    for (const { path, line, endLine = line, text, column, before, after } of value.matches ?? []) {
      for (const [index, part] of text.split("\n").entries())
        found.set(`${path}:${line + index}:${part}`, Buffer.byteLength(part.slice(0, column - 1)));
      for (const [index, context] of before.entries())
        found.set(`${path}:${line - before.length + index}-${context}`, undefined);
      for (const [index, context] of after.entries())
        found.set(`${path}:${endLine + 1 + index}-${context}`, undefined);
    }
    offset = value.nextOffset;
  }
  return found;
}

// Across two pages, the context of one match may contain the other.
function withoutMatchesAsContext(found: Found | undefined): Found | undefined {
  const matched = new Set([...(found?.keys() ?? [])].map((key) => /^(.*?:\d+):/s.exec(key)?.[1]));
  return found && new Map([...found].filter(([key]) => !matched.has(/^(.*?:\d+)-/s.exec(key)?.[1] ?? "")));
}

// One text, so that a failure shows the whole difference.
function report(found: Found | undefined, columns: Found | undefined): string {
  if (!found) return "refused";
  const lines = [...found].map(([line, column]) =>
    columns?.get(line) === undefined ? line : `${line} @${column}`,
  );
  return lines.sort().join("\n");
}

// ripgrep shows matches before a NUL, depending on how it reads; grep skips such a file.
function withoutBinary(found: Found | undefined, files: FixtureFiles): Found | undefined {
  const binary = Object.keys(files).filter((path) => {
    const content = files[path];
    return content instanceof Uint8Array && content[0] !== 0xff && content.includes(0);
  });
  return found && new Map([...found].filter(([line]) => !binary.some((path) => line.startsWith(`${path}:`))));
}

function staticStart(glob: string): string {
  return /^((?:[^*?[{/]+(?:\/|$))*)/.exec(glob)?.[1] || ".";
}

async function compareGrep(
  { root, runtime }: { root: string; runtime: Runtime },
  { query, files }: Asked,
): Promise<void> {
  const { pattern, multiline = false, path = "." } = query.args;
  // R18: naming an ignored folder includes it, so the rules above it do not apply.
  const isMeant = ripgrepIgnores(root, path);
  const mine = withoutMatchesAsContext(await grepLines(runtime, query));
  const call = { pattern, multiline, path, isMeant, flags: query.flags, mine };
  const theirs = withoutBinary(ripgrepLines(root, call), files);
  if (report(mine, theirs) === report(theirs, theirs)) return;
  if (isRightByJavascript(mine, theirs, { query, files })) return;
  const copy = diskFixture(withoutReturns(files));
  const inCopy = withoutBinary(ripgrepLines(copy.root, call), files);
  expect(report(mine, inCopy), `${root} ${JSON.stringify(query)}`).toBe(report(inCopy, inCopy));
  copy.remove();
}

/**
 * The same tree with LF instead of CRLF. ripgrep 13 misjudges `\B` before CRLF, treats it as two characters across lines, and panics on a match
 * before a CR that ends the file.
 */
function withoutReturns(files: FixtureFiles): FixtureFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => {
      if (typeof content === "string") return [path, withoutReturn(content)];
      const isWide = content[0] === 0xff;
      const text = withoutReturn(Buffer.from(content).toString(isWide ? "utf16le" : "latin1"));
      return [path, new Uint8Array(Buffer.from(text, isWide ? "utf16le" : "latin1"))];
    }),
  );
}

/** Keeps a last line that is nothing but a carriage return: without it, there would be no line. */
function withoutReturn(text: string): string {
  return text.replace(/(^|\n)\r$/, "$1\n").replace(/\r(?=\n|$)/g, "");
}

/** Returns whether the tool agrees with ripgrep about a pattern that JavaScript supports too. */
function isRightByJavascript(mine: Found | undefined, theirs: Found | undefined, asked: Asked): boolean {
  const { query, files } = asked;
  if (!query.odd || !mine || !theirs) return false;
  const regex = new RegExp(query.odd.javascript, query.args.case_sensitive === false ? "iu" : "u");
  const paths = new Set([...mine.keys(), ...theirs.keys()].map((key) => key.slice(0, key.indexOf(":"))));
  return [...paths].every((path) => {
    const [found, other] = [linesOf(mine, path), linesOf(theirs, path)];
    const differing = [...found, ...other].filter((line) => !(found.has(line) && other.has(line)));
    const judged = linesMatching(textOf(files[path]), regex, query.args.multiline === true);
    return differing.every((line) => judged.has(line) === found.has(line));
  });
}

interface Asked {
  readonly query: GrepQuery;
  readonly files: FixtureFiles;
}

function linesOf(found: Found, path: string): ReadonlySet<number> {
  const own = [...found.keys()].filter((key) => key.startsWith(`${path}:`));
  return new Set(own.map((key) => Number(key.slice(path.length + 1).split(":")[0])));
}

/** Bytes that are not text become marks, which no generated pattern matches. */
function textOf(content: string | Uint8Array | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return new TextDecoder(content[0] === 0xff ? "utf-16le" : "utf-8").decode(content);
}

describe.skipIf(!hasRipgrep)("the tools and ripgrep", () => {
  it(`grep returns the same lines for ${ROUNDS} random calls, and again after changes`, {
    timeout: 1_800_000,
  }, async () => {
    const random = randomFrom(SEED);
    const randomChange = randomFrom(SEED + 1);
    for (let round = 0; round < ROUNDS; round += QUERIES_PER_TREE) {
      const files = randomTree(random);
      const queries = Array.from({ length: QUERIES_PER_TREE }, () => randomGrep(random, foldersOf(files)));
      await withTree(files, async (root, runtime) => {
        for (const query of queries) await compareGrep({ root, runtime }, { query, files });
        const names = Object.keys(files).filter((path) => !/^\.git\/|ignore$/.test(path));
        await new Promise((resolve) => setTimeout(resolve, TICK_MS));
        for (let changes = 1 + randomChange(6); changes > 0; changes--)
          changeSomething({ root, names }, randomChange);
        const changed = readTree({ root, names: Object.keys(files) });
        for (const query of queries) await compareGrep({ root, runtime }, { query, files: changed });
      });
    }
  });

  it(`glob lists the same files for ${ROUNDS} random calls`, { timeout: 1_800_000 }, async () => {
    const random = randomFrom(SEED + 12);
    for (let round = 0; round < ROUNDS; round += QUERIES_PER_TREE) {
      const files = randomTree(random);
      const queries = Array.from({ length: QUERIES_PER_TREE }, () => randomGlob(random));
      await withTree(files, async (root, runtime) => {
        for (const { args, flags } of queries) {
          if (ripgrepIgnores(root, staticStart(args.pattern))) continue;
          // The name of a folder includes its content.
          const isFolder = foldersOf(files).includes(`${args.pattern}/`);
          const meant = `/${args.pattern}${isFolder ? "/**" : ""}`;
          const isMeant = compilePathPattern(meant.endsWith("/**") ? `${meant}/*` : meant);
          const theirs = ripgrepFiles(root, [...flags, "-g", "!build/"]).filter(
            // ripgrep lists a hidden file that an ignore file un-ignores; a wildcard still does not match it.
            (path) => isMeant(path) && (args.include_hidden || !/(^|\/)\./.test(path)),
          );
          const result = await runtime.call("glob", { ...args, exclude: ["build/"], max_results: 500 });
          const mine = result.ok ? (result.value as GlobResult).files.map(({ path }) => path) : result.text;
          expect(mine, `${root} ${JSON.stringify({ args, flags })}`).toEqual(theirs);
        }
      });
    }
  });
});
