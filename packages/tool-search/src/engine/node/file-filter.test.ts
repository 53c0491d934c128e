import {
  appendFileSync,
  chmodSync,
  linkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { changeSomething, LONG_AGO } from "../../../test-support/change-tree.js";
import { compileWorker } from "../../../test-support/compile-worker.js";
import { pick, randomContent, randomFrom } from "../../../test-support/random-tree.js";
import {
  type DiskFixture,
  diskFixture,
  type FixtureFiles,
  searchRequest,
} from "../../../test-support/search-fixture.js";
import { gramQuery } from "../filter/gram-query.js";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import { SearchKernel } from "../kernel/search-kernel.js";
import { compilePattern } from "../match/compile-pattern.js";
import { FileFilter } from "./file-filter.js";
import { FileIndex } from "./file-index.js";
import { NodeSearchEngine } from "./node-search-engine.js";
import { shareFileIndex } from "./shared-file-index.js";

const SETTLED_MS = 30;
const ROUNDS = Number(process.env.HAFT_DIFF_ROUNDS ?? 15);
const open: { engines: NodeSearchEngine[]; fixtures: DiskFixture[] } = { engines: [], fixtures: [] };
afterEach(async () => {
  await Promise.all(open.engines.splice(0).map((engine) => engine.dispose()));
  for (const fixture of open.fixtures.splice(0)) fixture.remove();
});

function fixture(files: FixtureFiles): string {
  const made = diskFixture(files);
  open.fixtures.push(made);
  for (const path of Object.keys(files)) utimesSync(join(made.root, path), LONG_AGO, LONG_AGO);
  return made.root;
}

const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS + 20));
// Files on tmpfs are never cached: there the warm engine is like any other.
const keepsFiles = shareFileIndex(diskRoot()) !== undefined;

function diskRoot(): string {
  const made = diskFixture({});
  made.remove();
  return dirname(made.root);
}

function engineFor(root: string, threads = false): NodeSearchEngine {
  const pool = threads ? { threads: compileWorker, poolFrom: 0 } : {};
  const engine = new NodeSearchEngine({ root, settledMs: SETTLED_MS, ...pool });
  open.engines.push(engine);
  return engine;
}

/** The complete result of a search without caches, including the ledger. */
async function fresh(root: string, request: ReturnType<typeof searchRequest>): Promise<unknown> {
  const engine = new NodeSearchEngine({ root });
  const outcome = await engine.search(request);
  await engine.dispose();
  return outcome;
}

async function warmed(engine: NodeSearchEngine): Promise<void> {
  await settle();
  for (let times = 0; times < 3; times++) await engine.search(searchRequest("nowhere to be found"));
}

function verdictAfter(root: string, index: FileIndex, pattern = "needle"): string | undefined {
  return filterOver(root, index, pattern).verdict("a.txt");
}

function filterOver(root: string, index: FileIndex, pattern: string): FileFilter {
  const grams = gramQuery(compilePattern({ pattern }).requirements);
  const kernel = new SearchKernel(1024);
  return new FileFilter({
    root,
    index,
    learns: true,
    keeps: true,
    kernel,
    grams,
    maxBytes: 100,
    follows: false,
  });
}

function knownOf(engine: NodeSearchEngine): object {
  return (engine as unknown as { known: object }).known;
}

describe.skipIf(!keepsFiles)("cached knowledge of a file", () => {
  async function known(content: string | Uint8Array): Promise<{ root: string; index: FileIndex }> {
    const root = fixture({ "a.txt": content, "b.txt": "other" });
    const shared = shareFileIndex(root, SETTLED_MS);
    const engine = engineFor(root);
    Object.assign(knownOf(engine), { index: shared && new FileIndex(shared) });
    await warmed(engine);
    return { root, index: new FileIndex(shared as NonNullable<typeof shared>) };
  }

  it("avoids opening it only if it cannot match", async () => {
    const { root, index } = await known("a thimble\n");
    expect(verdictAfter(root, index)).toBe("no match");
    expect(verdictAfter(root, index, "thimble")).toBe("kept");
    expect(verdictAfter(root, index, ".")).toBe("kept");
  });

  it("returns the bytes of a small text, at any place in memory, and none of a large one", async () => {
    const small = Buffer.from("\ufeffa thimble, no newline");
    const { root, index } = await known(small);
    const kernel = new SearchKernel(1024);
    const filter = new FileFilter({
      ...{ root, index, kernel, learns: false, keeps: true, follows: false },
      ...{ grams: undefined, maxBytes: 100_000 },
    });
    expect(filter.verdict("a.txt")).toBe("kept");
    for (const at of [0, 1, 7].map((offset) => KERNEL_LAYOUT.text + offset)) {
      expect(filter.copyKept(at)).toBe(small.length);
      expect(Buffer.from(kernel.bytes.subarray(at, at + small.length))).toEqual(small);
    }
    const large = await known("x".repeat(65_536));
    expect(verdictAfter(large.root, large.index, ".")).toBeUndefined();
  });

  it("counts as current within one answer, and is checked for the next", async () => {
    const { root, index } = await known("a thimble\n");
    const follower = (follows: boolean) =>
      new FileFilter({
        ...{ root, index, kernel: new SearchKernel(1024), learns: false, keeps: false, follows },
        ...{ grams: undefined, maxBytes: 100 },
      });
    expect(follower(false).verdict("a.txt")).toBe("kept");
    writeFileSync(join(root, "a.txt"), "a needle!\n");
    expect(follower(true).verdict("a.txt")).toBe("kept");
    index.nextMoment();
    expect(follower(true).verdict("a.txt")).toBeUndefined();
  });

  it("avoids opening a binary file for any pattern", async () => {
    const { root, index } = await known(new Uint8Array([97, 0, 98]));
    expect(verdictAfter(root, index)).toBe("binary");
    expect(verdictAfter(root, index, ".")).toBe("binary");
  });

  function indexOf(engine: NodeSearchEngine, root: string, settledMs?: number): FileIndex {
    const shared = shareFileIndex(root, settledMs) as NonNullable<ReturnType<typeof shareFileIndex>>;
    const index = new FileIndex(shared);
    Object.assign(knownOf(engine), { index });
    return index;
  }

  it("is empty for a file that changed just now", async () => {
    const root = fixture({ "a.txt": "a thimble\n" });
    const engine = new NodeSearchEngine({ root });
    const index = indexOf(engine, root);
    for (let times = 0; times < 3; times++) await engine.search(searchRequest("needle"));
    expect(index.recordAt(index.find("a.txt"))).toBe(0);
    await engine.dispose();
  });

  it("is empty after two searches of an engine, and has everything, bytes included, after the third", async () => {
    const names = Array.from({ length: 100 }, (_, number) => `${number}.txt`);
    const root = fixture(Object.fromEntries(names.map((name) => [name, "a thimble\n"])));
    const engine = engineFor(root);
    const index = indexOf(engine, root, SETTLED_MS);
    await settle();
    const known: number[][] = [];
    for (let times = 0; times < 3; times++) {
      await engine.search(searchRequest("needle"));
      const records = names.map((name) => index.recordAt(index.find(name))).filter((record) => record !== 0);
      const count = (isKnown: (record: number) => boolean) => records.filter(isKnown).length;
      known.push([
        records.length,
        count((record) => index.hasText(record)),
        count((record) => index.hasGrams(record)),
      ]);
    }
    expect(known).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [100, 100, 100],
    ]);
  });

  it.each<[string, (root: string) => void]>([
    ["an edit of the same size", (root) => writeFileSync(join(root, "a.txt"), "a needle!\n")],
    [
      "an edit that takes care to leave its time as it was",
      (root) => {
        writeFileSync(join(root, "a.txt"), "a needle!\n");
        utimesSync(join(root, "a.txt"), LONG_AGO, LONG_AGO);
      },
    ],
    ["another file renamed over it", (root) => renameSync(join(root, "b.txt"), join(root, "a.txt"))],
    ["more text", (root) => appendFileSync(join(root, "a.txt"), "needle")],
    ["less text", (root) => truncateSync(join(root, "a.txt"), 4)],
    [
      "an edit by another name of it",
      (root) => {
        linkSync(join(root, "a.txt"), join(root, "c.txt"));
        writeFileSync(join(root, "c.txt"), "a needle!\n");
      },
    ],
    [
      "a link in its place",
      (root) => {
        renameSync(join(root, "a.txt"), join(root, "d.txt"));
        symlinkSync("d.txt", join(root, "a.txt"));
      },
    ],
    ["its end", (root) => rmSync(join(root, "a.txt"))],
    ["a change of who may read it", (root) => chmodSync(join(root, "a.txt"), 0)],
  ])("is void after %s", async (_, change) => {
    const { root, index } = await known("a thimble\n");
    expect(verdictAfter(root, index)).toBe("no match");
    change(root);
    expect(verdictAfter(root, index)).toBeUndefined();
  });

  it("is not used by a search with a smaller size limit", async () => {
    const { root, index } = await known(`${"x".repeat(120)}\n`);
    expect(verdictAfter(root, index)).toBeUndefined();
  });
});

const PATTERNS = [
  "foo",
  "(?i)foo|todo",
  "bar.*end",
  "42",
  "漢",
  "\\bend\\b",
  "[^a]b",
  "é|ß",
  "TODO$",
  "(?i)k",
];

describe("a search over cached files", () => {
  it("shows and counts nothing from outside when a known folder was swapped for a link", async () => {
    const root = fixture({ "sub/a.txt": "a thimble\n", "b.txt": "a needle\n" });
    const outside = fixture({ "a.txt": "a needle\n" });
    const engine = engineFor(root);
    await warmed(engine);
    renameSync(join(root, "sub"), join(root, "moved"));
    symlinkSync(outside, join(root, "sub"));
    const outcome = await engine.search(searchRequest("needle|thimble"));
    expect(outcome.files.map(({ path }) => path)).toEqual(["b.txt", "moved/a.txt"]);
    expect(outcome).toEqual(await fresh(root, searchRequest("needle|thimble")));
  });

  it.each([false, true])("equals a first search, whatever changed, on two threads: %s", async (threads) => {
    const random = randomFrom(Number(process.env.HAFT_DIFF_SEED ?? 3));
    const names = ["a.txt", "b.txt", "sub/c.txt", "sub/d.txt", "sub/deep/e.txt", "f.txt"];
    const root = fixture(Object.fromEntries(names.map((name) => [name, randomContent(random)])));
    const engine = engineFor(root, threads);
    if (threads) await engine.warm();
    await warmed(engine);
    for (let round = 0; round < ROUNDS; round++) {
      for (let changes = random(3); changes > 0; changes--) changeSomething({ root, names }, random);
      for (let searches = 0; searches < 3; searches++) {
        const multiline = random(6) === 0;
        const request = searchRequest({ pattern: pick(random, PATTERNS), multiline }, { order: "relevance" });
        expect(await engine.search(request), `round ${round}`).toEqual(await fresh(root, request));
      }
      if (random(4) === 0) await settle();
    }
  });
});
