// Runs the same trees, patterns and options through ripgrep and through the engine. `pnpm test:diff` runs thousands.

import { spawnSync } from "node:child_process";
import { PatternError } from "@haft/text/path-rules";
import { describe, expect, it } from "vitest";
import {
  anchoredPattern,
  GLOBS,
  pick,
  type Random,
  randomFrom,
  randomTree,
} from "../../test-support/random-tree.js";
import {
  diskFixture,
  type FixtureFiles,
  type RequestChanges,
  searchRequest,
} from "../../test-support/search-fixture.js";
import type { PatternOptions } from "./match/compile-pattern.js";
import { listFiles } from "./node/list-files.js";
import { NodeSearchEngine } from "./node/node-search-engine.js";
import { DEFAULT_WALK, type WalkOptions } from "./walk/walk-options.js";

const ROUNDS = Number(process.env.HAFT_DIFF_ROUNDS ?? 150);
const QUERIES_PER_TREE = 6;
const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;

interface Query {
  readonly pattern: PatternOptions;
  readonly changes: RequestChanges;
  readonly flags: readonly string[];
}

function randomQuery(random: Random): Query {
  const literal = random(8) === 0;
  const ignoreCase = random(3) === 0;
  const pattern = literal
    ? pick(random, ["foo", "a", ".", "(", "foo ba", "\\", "É"])
    : anchoredPattern(random);
  // Across lines ripgrep looks at the rest of a text without what stands before it, and so misjudges word conditions.
  const multiline = random(10) === 0 && !/\\b/i.test(pattern);
  const walk: { -readonly [Name in keyof WalkOptions]?: WalkOptions[Name] } = {};
  const flags = [ignoreCase ? "-i" : "-s", ...(literal ? ["-F"] : []), ...(multiline ? ["-U"] : [])];
  if (random(3) === 0) {
    walk.includeHidden = true;
    flags.push("--hidden");
  }
  if (random(5) === 0) {
    walk.includeIgnored = true;
    flags.push("--no-ignore");
  }
  if (random(5) === 0) {
    const globs = [pick(random, GLOBS), ...(random(3) === 0 ? [pick(random, GLOBS)] : [])];
    walk.globs = globs;
    flags.push(...globs.flatMap((glob) => ["-g", glob]));
  }
  if (random(8) === 0) {
    walk.maxDepth = 1 + random(3);
    flags.push("--max-depth", String(walk.maxDepth));
  }
  const before = random(4) === 0 ? random(3) : 0;
  const after = random(4) === 0 ? random(3) : 0;
  flags.push("-B", String(before), "-A", String(after));
  return {
    pattern: { pattern, literal, ignoreCase, multiline },
    changes: { walk, context: { before, after }, limit: 10_000 },
    flags,
  };
}

const COMMON = ["--no-config", "--no-ignore-global", "--no-ignore-parent", "--no-messages", "-g", "!.git"];

interface RipgrepMessage {
  readonly type: string;
  readonly data: {
    readonly path: { readonly text: string };
    readonly lines: { readonly text?: string; readonly bytes?: string };
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Line → byte column of its first match, where that is comparable. */
type Found = Map<string, number | undefined>;

/** Undefined when ripgrep refuses the pattern. */
function ripgrep(root: string, query: Query): Found | undefined {
  const args = [...COMMON, "--json", ...query.flags, "-e", query.pattern.pattern, "."];
  const { stdout, status } = spawnSync("rg", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status === 2 && stdout.trim() === "") return undefined;
  const found: Found = new Map();
  for (const line of stdout.split("\n").filter((text) => text !== "")) {
    const { type, data } = JSON.parse(line) as RipgrepMessage;
    if (type !== "match" && type !== "context") continue;
    const raw = data.lines.text ?? new TextDecoder().decode(Buffer.from(data.lines.bytes ?? "", "base64"));
    for (const [index, text] of raw.replace(/\n$/, "").split("\n").entries()) {
      const shown = text.replace(/\r$/, "");
      const key = `${data.path.text.slice(2)}:${data.line_number + index}${type === "match" ? ":" : "-"}${shown}`;
      found.set(key, type === "match" ? columnOf(query, data.submatches[0], shown) : undefined);
    }
  }
  return found;
}

// ripgrep may place an empty match behind the line, and bytes that are no text have no column in a string.
function columnOf(
  query: Query,
  match: { start: number; end: number } | undefined,
  text: string,
): number | undefined {
  if (!match || query.pattern.multiline || match.start === match.end || text.includes("\ufffd"))
    return undefined;
  return match.start < Buffer.byteLength(text) ? match.start : undefined;
}

async function ours(root: string, query: Query): Promise<Found | undefined> {
  try {
    const { files } = await new NodeSearchEngine({ root }).search(
      searchRequest(query.pattern, query.changes),
    );
    return new Map(
      files.flatMap(({ path, lines }) =>
        lines.map(({ line, text, match }): [string, number | undefined] => [
          `${path}:${line}${match ? ":" : "-"}${text}`,
          match && Buffer.byteLength(text.slice(0, match.start)),
        ]),
      ),
    );
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

// ripgrep shows what it found before it met a NUL, which depends on how it reads; the engine skips such a file.
function withoutBinary(found: Found | undefined, files: FixtureFiles): Found | undefined {
  const binary = Object.keys(files).filter((path) => {
    const content = files[path];
    return content instanceof Uint8Array && content[0] !== 0xff && content.includes(0);
  });
  return found && new Map([...found].filter(([line]) => !binary.some((path) => line.startsWith(`${path}:`))));
}

// One text, so that a failure shows the whole difference.
function report(found: Found | undefined, columns: Found | undefined): string {
  if (!found) return "refused";
  const lines = [...found].map(([line, column]) =>
    columns?.get(line) === undefined ? line : `${line} @${column}`,
  );
  return lines.sort().join("\n");
}

describe.skipIf(!hasRipgrep)("the engine and ripgrep", () => {
  it(`give the same lines for ${ROUNDS} random searches`, { timeout: 600_000 }, async () => {
    const random = randomFrom(Number(process.env.HAFT_DIFF_SEED ?? 11));
    for (let round = 0; round < ROUNDS; round += QUERIES_PER_TREE) {
      const files = randomTree(random);
      const tree = diskFixture(files);
      for (let index = 0; index < QUERIES_PER_TREE; index++) {
        const query = randomQuery(random);
        const theirs = withoutBinary(ripgrep(tree.root, query), files);
        const mine = await ours(tree.root, query);
        const name = `${tree.root} ${JSON.stringify(query)}`;
        expect(report(mine, theirs), name).toBe(report(theirs, theirs));
      }
      tree.remove();
    }
  });

  it(`list the same files for ${ROUNDS} random trees`, { timeout: 600_000 }, () => {
    const random = randomFrom(Number(process.env.HAFT_DIFF_SEED ?? 11) + 12);
    for (let round = 0; round < ROUNDS; round += QUERIES_PER_TREE) {
      const tree = diskFixture(randomTree(random));
      for (let index = 0; index < QUERIES_PER_TREE; index++) {
        const { changes, flags } = randomQuery(random);
        const args = [...COMMON, "--files", ...flags.filter((flag) => !/^-[isFU]$/.test(flag)), "."];
        const { stdout } = spawnSync("rg", args, { cwd: tree.root, encoding: "utf8" });
        const theirs = stdout
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => line.slice(2))
          .sort();
        const { files } = listFiles(tree.root, { ...DEFAULT_WALK, ...changes.walk });
        expect(files.sort(), `${tree.root} ${JSON.stringify(flags)}`).toEqual(theirs);
      }
      tree.remove();
    }
  });
});
