import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { compileWorker } from "../../../test-support/compile-worker.js";
import { type RealRuntime, realRuntime } from "../../../test-support/real-runtime.js";
import { diskFixture, searchRequest } from "../../../test-support/search-fixture.js";
import { FileIndex } from "./file-index.js";
import { FolderCache } from "./folder-cache.js";
import { HeldPaths } from "./held-paths.js";
import { NodeSearchEngine } from "./node-search-engine.js";
import { type SharedFileIndex, shareFileIndex } from "./shared-file-index.js";

// HAFT_RACE_ROUNDS=5000 for the full proof.
const ROUNDS = Number(process.env.HAFT_RACE_ROUNDS ?? 30);
const SWAPPER = fileURLToPath(
  new URL("../../../../runtime-node/test-support/link-swapper.mjs", import.meta.url),
);
const INSIDE = "needle inside\n";
const OUTSIDE = "needle canary, which is much longer than what is inside\n";
const NAMES = ["", "sub/"].flatMap((folder) => [1, 2, 3, 4, 5, 6].map((each) => `${folder}f${each}.txt`));

let real: RealRuntime;
let outsideRoot: string;
let swapper: ChildProcess | undefined;

/** A workspace with a folder that another process keeps swapping for a link to the outside. */
beforeEach(async () => {
  const files = Object.fromEntries(NAMES.map((name) => [`dir/${name}`, INSIDE]));
  real = await realRuntime({ files });
  const outside = diskFixture(Object.fromEntries(NAMES.map((name) => [name, OUTSIDE])));
  onTestFinished(outside.remove);
  outsideRoot = outside.root;
  for (const folder of ["", "sub/"]) writeFileSync(join(outside.root, `${folder}canary.txt`), OUTSIDE);
  mkdirSync(join(outside.root, "canary-folder"));
  swapper = fork(SWAPPER, [join(real.root, "dir"), outside.root, "0"]);
  await new Promise((resolve) => swapper?.once("message", resolve));
});
afterEach(async () => {
  const running = swapper;
  swapper = undefined;
  if (!running || running.exitCode !== null) return;
  const gone = new Promise((resolve) => running.once("exit", resolve));
  running.kill("SIGKILL");
  await gone;
});

/** Continues until the folder was seen both intact and swapped, so that the race really happened. */
async function hammer(look: () => Promise<unknown>): Promise<string[]> {
  const seen = new Set<string>();
  const met = { whole: 0, swapped: 0 };
  for (let round = 0; round < ROUNDS || (Math.min(met.whole, met.swapped) === 0 && round < 3000); round++) {
    const text = JSON.stringify(await look());
    met[NAMES.every((name) => text.includes(`"dir/${name}`)) ? "whole" : "swapped"]++;
    seen.add(text);
  }
  expect(swapper?.exitCode).toBeNull();
  expect(Math.min(met.whole, met.swapped)).toBeGreaterThan(0);
  if (process.env.HAFT_RACE_ROUNDS !== undefined) console.log(expect.getState().currentTestName, met);
  return [...seen];
}

/** Returns the cached files, and those of them that are outside. */
function knownNames(shared: SharedFileIndex): { inside: string[]; outside: string[] } {
  const index = new FileIndex(shared);
  const recordOf = (name: string) => index.recordAt(index.find(`dir/${name}`));
  const known = [...NAMES, "canary.txt", "sub/canary.txt"].filter((name) => recordOf(name) !== 0);
  const outside = known.filter((name) =>
    index.isUnchanged(recordOf(name), statSync(join(outsideRoot, name))),
  );
  return { inside: known.filter((name) => !outside.includes(name)), outside };
}

const leaksIn = (seen: readonly string[]) => seen.filter((text) => text.includes("canary"));

describe("P1 while another program swaps a folder for a link to the outside", { timeout: 1_200_000 }, () => {
  it("grep shows and counts nothing from outside", async () => {
    const grep = async () => (await real.succeed("grep", { pattern: "needle" })).value;
    expect(leaksIn(await hammer(grep))).toEqual([]);
    const secret = async () =>
      (await real.succeed("grep", { pattern: "canary" })).value as { totalMatches: number };
    for (let round = 0; round < ROUNDS; round++) expect((await secret()).totalMatches).toBe(0);
  });

  it("grep shows nothing from outside on two threads", async () => {
    const engine = new NodeSearchEngine({ root: real.root, threads: compileWorker, poolFrom: 0 });
    onTestFinished(() => engine.dispose());
    await engine.search(searchRequest("needle"));
    await engine.warm();
    expect(engine.threads).toBe(2);
    expect(leaksIn(await hammer(() => engine.search(searchRequest("needle"))))).toEqual([]);
    for (let round = 0; round < ROUNDS; round++)
      expect((await engine.search(searchRequest("canary"))).totalLines).toBe(0);
  });

  it.each([false, true])(
    "grep shows nothing from outside for cached files, on two threads: %s",
    async (threads) => {
      // Caches even entries that are too recent to be trusted.
      const settledMs = Number.NEGATIVE_INFINITY;
      const sharedIndex = shareFileIndex(real.root, settledMs);
      if (!sharedIndex) return; // a file system on which no files are cached
      const pool = threads ? { threads: compileWorker, poolFrom: 0 } : {};
      const engine = new NodeSearchEngine({ root: real.root, settledMs, ...pool });
      onTestFinished(() => engine.dispose());
      const { known } = engine as unknown as { known: object };
      Object.assign(known, { shared: sharedIndex, index: new FileIndex(sharedIndex) });
      if (threads) await engine.warm();
      const look = async () => {
        expect((await engine.search(searchRequest("canary"))).totalLines).toBe(0);
        return engine.search(searchRequest("needle"));
      };
      expect(leaksIn(await hammer(look))).toEqual([]);
      expect(knownNames(sharedIndex)).toEqual({ inside: NAMES, outside: [] });
    },
  );

  it("search shows nothing from outside", async () => {
    const search = async () => (await real.succeed("search", { query: "needle", max_results: 50 })).value;
    const seen: string[] = [];
    for (let round = 0; round < ROUNDS; round++) seen.push(JSON.stringify(await search()));
    expect(leaksIn(seen)).toEqual([]);
    expect(seen.filter((text) => text.includes("needle inside")).length).toBeGreaterThan(0);
  });

  it("glob names nothing from outside, and measures nothing there", async () => {
    interface Listing {
      readonly files: readonly { readonly path: string; readonly size: number }[];
    }
    const sizes = new Set<number>();
    const glob = async () => {
      const { files } = (await real.succeed<Listing>("glob", { pattern: "**/*" })).value;
      for (const { size } of files) sizes.add(size);
      return files;
    };
    expect(leaksIn(await hammer(glob))).toEqual([]);
    expect([...sizes].filter((size) => size !== 0 && size !== INSIDE.length)).toEqual([]);
  });

  it("the cache of a folder contains only entries inside the workspace", async () => {
    // Caches even entries that are too recent to be trusted.
    const cache = new FolderCache(real.root, Number.NEGATIVE_INFINITY);
    const names = (path: string) => {
      const held = new HeldPaths(real.root);
      try {
        return cache.read(path, held).entries.map(({ name }) => `${path}${name}`);
      } catch {
        return [];
      } finally {
        held.release();
      }
    };
    const look = async () => [...names("dir/"), ...names("dir/sub/")];
    expect(leaksIn(await hammer(look))).toEqual([]);
  });
});
