import { afterEach, describe, expect, it } from "vitest";
import { compileWorker } from "../../../test-support/compile-worker.js";
import { diskFixture, searchRequest } from "../../../test-support/search-fixture.js";
import type { FileIndex } from "./file-index.js";
import type { PreparationSetup } from "./idle-preparation.js";
import { NodeSearchEngine } from "./node-search-engine.js";

const MANY = Object.fromEntries(
  Array.from({ length: 1200 }, (_, number) => [`f${number % 40}/${number}.txt`, `line ${number}\nneedle\n`]),
);
const FEW = { "a.txt": "needle\n", "sub/b.txt": "thimble\n" };

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

function engineOver(files: Record<string, string>): { engine: NodeSearchEngine; root: string } {
  const disk = diskFixture(files);
  // Caches even entries that are too recent to be trusted.
  const settledMs = Number.NEGATIVE_INFINITY;
  const engine = new NodeSearchEngine({ root: disk.root, threads: compileWorker, settledMs });
  ending.push(disk.remove, () => engine.dispose());
  return { engine, root: disk.root };
}

function indexOf(engine: NodeSearchEngine): FileIndex | undefined {
  return (engine as unknown as { known: { index: FileIndex | undefined } }).known.index;
}

function knownFiles(engine: NodeSearchEngine, files: Record<string, string>): number {
  const index = indexOf(engine);
  if (!index) return 0;
  return Object.keys(files).filter((path) => index.recordAt(index.find(path)) !== 0).length;
}

const never = new AbortController().signal;

type IdleSearch = ReturnType<PreparationSetup["search"]>;

/** Learning and warming up take two seconds here, and many times that on a busy machine. */
const BUSY_MS = 90_000;

/** Wraps each idle search of the engine in `watch`. */
function watchSearches(engine: NodeSearchEngine, watch: (searching: IdleSearch) => IdleSearch): void {
  const { ahead } = engine as unknown as { ahead: { setup: PreparationSetup } };
  const { search } = ahead.setup;
  Object.assign(ahead.setup, { search: (...given: Parameters<typeof search>) => watch(search(...given)) });
}

describe("an idle engine", () => {
  it.each([
    ["a small tree on the caller's thread", FEW, 1],
    ["a large tree on both threads", MANY, 2],
  ])(
    "learns %s before its first search, with the same results",
    { timeout: BUSY_MS },
    async (_, files, threads) => {
      const { engine, root } = engineOver(files);
      const expected = await new NodeSearchEngine({ root }).search(searchRequest("needle"));
      await engine.prepare(never);
      expect(engine.threads).toBe(threads);
      if (indexOf(engine)) expect(knownFiles(engine, files)).toBe(Object.keys(files).length);
      expect(await engine.search(searchRequest("needle"))).toEqual(expected);
      expect((await engine.search(searchRequest("nowhere to be found"))).totalLines).toBe(0);
    },
  );

  it("yields to a search at any moment, and continues afterwards", async () => {
    const { engine, root } = engineOver(MANY);
    const expected = await new NodeSearchEngine({ root }).search(searchRequest("needle"));
    for (const delay of [0, 2, 5, 10, 20, 40, 60, 80, 100, 150]) {
      const prepared = engine.prepare(never).catch(() => "stopped");
      await new Promise((resolve) => setTimeout(resolve, delay));
      expect(await engine.search(searchRequest("needle"))).toEqual(expected);
      await prepared;
    }
    await engine.prepare(never);
    expect(await engine.search(searchRequest("needle"))).toEqual(expected);
  });

  it.each([
    ["a small tree", FEW],
    ["a large tree", MANY],
  ])("warms up on %s until it has made enough searches, and never again", async (_, files) => {
    const { engine } = engineOver(files);
    let searches = 0;
    watchSearches(engine, (searching) => {
      searches++;
      return searching;
    });
    await engine.prepare(never);
    const made = searches;
    expect(made).toBeGreaterThan(7);
    expect(made).toBeLessThanOrEqual(141);
    await engine.prepare(never);
    expect(searches).toBe(made);
  });

  it.each([
    ["learns", 1],
    ["practises", 5],
  ])("starts nothing more if a search arrives while it %s", async (_, when) => {
    const { engine, root } = engineOver(MANY);
    const expected = await new NodeSearchEngine({ root }).search(searchRequest("needle"));
    const events: string[] = [];
    let asked: ReturnType<NodeSearchEngine["search"]> | undefined;
    watchSearches(engine, (searching) => {
      const number = events.push("begun");
      if (number === when)
        asked = engine.search(searchRequest("needle")).finally(() => events.push("answered"));
      return searching;
    });
    await expect(engine.prepare(never)).rejects.toThrow();
    expect(await asked).toEqual(expected);
    expect(events).toEqual([...Array<string>(when).fill("begun"), "answered"]);
  });

  it("stops with its signal", async () => {
    const { engine } = engineOver(MANY);
    const aborter = new AbortController();
    const prepared = engine.prepare(aborter.signal);
    aborter.abort(new Error("a call arrived"));
    await expect(prepared).rejects.toThrow("a call arrived");
    expect(knownFiles(engine, MANY)).toBe(0);
  });
});
