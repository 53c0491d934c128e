import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { compileWorker } from "../../../test-support/compile-worker.js";
import {
  type DiskFixture,
  diskFixture,
  type FixtureFiles,
  searchRequest,
} from "../../../test-support/search-fixture.js";
import { NodeSearchEngine } from "./node-search-engine.js";

const open: { engines: NodeSearchEngine[]; fixtures: DiskFixture[] } = { engines: [], fixtures: [] };
afterEach(async () => {
  await Promise.all(open.engines.splice(0).map((engine) => engine.dispose()));
  for (const fixture of open.fixtures.splice(0)) fixture.remove();
});

function fixture(files: FixtureFiles): string {
  const made = diskFixture(files);
  open.fixtures.push(made);
  return made.root;
}

async function pooled(root: string): Promise<NodeSearchEngine> {
  const engine = new NodeSearchEngine({ root, threads: compileWorker, poolFrom: 0 });
  open.engines.push(engine);
  await engine.warm();
  expect(engine.threads).toBe(2);
  return engine;
}

// Needs a state for every set of the last 15 characters, so that even the automaton has work to do.
const SLOW = "^[ab]*a[ab]{15}$";

function slowFiles(count: number, length = 60_000): FixtureFiles {
  let state = 1;
  const text = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 31 ? "a" : "b";
  }).join("");
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.txt`, text]));
}

describe("a search on disk", () => {
  it.each(["on this thread", "on two threads"])(
    "stops %s within 100 ms of its signal, and serves the next",
    async (where) => {
      const root = fixture(slowFiles(300));
      const engine = where === "on two threads" ? await pooled(root) : new NodeSearchEngine({ root });
      const aborter = new AbortController();
      const search = engine.search(searchRequest(SLOW), aborter.signal);
      const ended = search.then(
        () => "finished",
        () => performance.now(),
      );
      await new Promise((resolve) => setTimeout(resolve, 60));
      const aborted = performance.now();
      aborter.abort(new Error("enough"));
      const at = await ended;
      expect(at).not.toBe("finished");
      expect((at as number) - aborted).toBeLessThan(100);
      const next = await engine.search(searchRequest("^[ab]", { walk: { globs: ["f1.txt"] } }));
      expect(next.totalLines).toBe(1);
    },
  );

  it("returns partial results if its time is up", async () => {
    const engine = new NodeSearchEngine({ root: fixture({ ...slowFiles(40), "a.txt": "abc\n" }) });
    const limits = { maxFileBytes: 1024 * 1024, fileMs: 5000, callMs: 40 };
    const outcome = await engine.search(searchRequest(SLOW, { limits }));
    expect(outcome.incomplete).toBe("deadline");
  });

  it("gives up on a file that takes too long, and names it", async () => {
    const engine = new NodeSearchEngine({
      root: fixture({ ...slowFiles(1, 1_000_000), "z.txt": "aaaaaaaaaaaaaaaaa\n" }),
    });
    const limits = { maxFileBytes: 1024 * 1024, fileMs: 60, callMs: 30_000 };
    const outcome = await engine.search(searchRequest(SLOW, { limits }));
    expect(outcome.skipped.examples.timedOut).toEqual(["f0.txt"]);
    expect(outcome.files.map(({ path }) => path)).toEqual(["z.txt"]);
  });

  it("keeps its time limit across lines under a pattern of 20,000 states", async () => {
    const text = `${"a".repeat(50_000)}b\n`;
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}.txt`, text]));
    const engine = new NodeSearchEngine({ root: fixture(files) });
    const limits = { maxFileBytes: 1024 * 1024, fileMs: 200, callMs: 1000 };
    const started = performance.now();
    const pattern = { pattern: "(?s)(a{0,100}){0,100}b.?", multiline: true };
    const outcome = await engine.search(searchRequest(pattern, { limits }));
    expect(outcome.incomplete).toBe("deadline");
    expect(outcome.skipped.timedOut).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(2500);
  });

  it("never reads a file of 5 GB, follows no link and waits for no pipe", async () => {
    const root = fixture({ "a.txt": "needle\n", "sub/b.txt": "needle\n" });
    writeFileSync(join(root, "huge.bin"), "");
    truncateSync(join(root, "huge.bin"), 5 * 1024 ** 3);
    symlinkSync("a.txt", join(root, "link.txt"));
    symlinkSync("..", join(root, "sub/loop"));
    const before = process.memoryUsage().rss;
    const outcome = await new NodeSearchEngine({ root }).search(searchRequest("needle"));
    expect(outcome.files.map(({ path }) => path)).toEqual(["a.txt", "sub/b.txt"]);
    expect(outcome.skipped.examples.tooLarge).toEqual(["huge.bin"]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });

  it("opens nothing that its guard refuses", async () => {
    const root = fixture({
      "a.txt": "needle\n",
      ".env": "needle\n",
      "keys/id_rsa": "needle\n",
      "b.txt": "needle\n",
    });
    const guard = { mayOpen: (path: string) => path !== ".env" && path !== "keys/" };
    const outcome = await new NodeSearchEngine({ root, guard }).search(
      searchRequest("needle", { walk: { includeHidden: true } }),
    );
    expect(outcome.files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(outcome.skipped.sensitive).toBe(2);
  });

  it.each(["on this thread", "on two threads"])(
    "ends at once %s if it is cancelled before its turn",
    async (where) => {
      const root = fixture(slowFiles(6));
      const engine = where === "on two threads" ? await pooled(root) : new NodeSearchEngine({ root });
      const order: string[] = [];
      const first = engine.search(searchRequest(SLOW)).then(() => order.push("first"));
      const aborter = new AbortController();
      const second = engine.search(searchRequest("a"), aborter.signal).catch(() => order.push("cancelled"));
      aborter.abort(new Error("enough"));
      await Promise.all([first, second]);
      expect(order).toEqual(["cancelled", "first"]);
    },
  );

  it.each(["leader", "helper"] as const)(
    "is repeated on this thread if its %s dies, and threads serve later ones",
    async (role) => {
      const root = fixture(slowFiles(12));
      const expected = await new NodeSearchEngine({ root }).search(searchRequest(SLOW));
      const engine = await pooled(root);
      const { threadPool } = engine as unknown as { threadPool: { pool: { workers: Worker[] } } };
      const searches = [1, 2, 3].map(() => engine.search(searchRequest(SLOW)));
      await new Promise((resolve) => setTimeout(resolve, 20));
      await threadPool.pool.workers[role === "leader" ? 0 : 1]?.terminate();
      expect(await Promise.all(searches)).toEqual([expected, expected, expected]);
      await engine.warm();
      expect(engine.threads).toBe(2);
      expect(await engine.search(searchRequest(SLOW))).toEqual(expected);
    },
    60_000,
  );

  it("completes a hundred searches at once", async () => {
    const engine = await pooled(
      fixture(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.txt`, `n${index}\n`]))),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => engine.search(searchRequest(`^n${index}$`))),
    );
    expect(outcomes.map(({ files }) => files.map(({ path }) => path))).toEqual(
      Array.from({ length: 100 }, (_, index) => [`${index}.txt`]),
    );
  });
});
