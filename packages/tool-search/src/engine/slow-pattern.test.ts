import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DiskFixture,
  diskFixture,
  memorySource,
  searchRequest,
} from "../../test-support/search-fixture.js";
import { NodeSearchEngine } from "./node/node-search-engine.js";
import { PortableSearchEngine } from "./portable/portable-search-engine.js";
import type { SearchOutcome } from "./search/search-outcome.js";
import type { SearchRequest } from "./search/search-request.js";

// Each search would block this thread for many seconds, and is cancelled after a few turns of the event loop. A search that blocked the event loop
// would finish first, with a result.
const TURNS = 3;
const LIMITS = { maxFileBytes: 1e9, fileMs: 20_000, callMs: 20_000 };

/** A text on which a DFA has too many states to keep. */
function letters(count: number, lineLength: number): string {
  let text = "";
  for (let at = 0, word = 1; at < count; at++) {
    word = (word * 48_271) % 2_147_483_647;
    text += at % lineLength === lineLength - 1 ? "\n" : word & 0x800 ? "a" : "b";
  }
  return text;
}

const FILES = { "line.txt": letters(1_500_000, 2_000_000), "lines.txt": letters(3_000_000, 500) };
const SLOW = "[ab]*a[ab]{200}[ab]{0,200}c";

type Search = (request: SearchRequest, signal: AbortSignal) => Promise<SearchOutcome>;

let disk: DiskFixture;
beforeAll(() => {
  disk = diskFixture(FILES);
});
afterAll(() => disk.remove());

const ENGINES: readonly [string, () => Search][] = [
  ["on disk", () => (request, signal) => new NodeSearchEngine({ root: disk.root }).search(request, signal)],
  [
    "in memory",
    () => (request, signal) => new PortableSearchEngine().search(memorySource(FILES), request, signal),
  ],
];

describe.each(ENGINES)("FR8 a slow pattern %s lets other work run", (_name, engine) => {
  it.each([
    ["one long line", { pattern: `${SLOW}|\\Bq` }, "line.txt"],
    ["one long line, across lines", { pattern: `${SLOW}|x\\ny`, multiline: true }, "line.txt"],
    ["many short lines", { pattern: `${SLOW}|\\Bq` }, "lines.txt"],
    ["many short candidates", { pattern: `b(?:${SLOW}|\\Bq)` }, "lines.txt"],
  ])("%s", async (_title, pattern, file) => {
    const aborter = new AbortController();
    const stopped = new Error("the caller stopped");
    let isOver = false;
    const searching = engine()(searchRequest(pattern, { file, limits: LIMITS }), aborter.signal);
    const settled = searching
      .then(
        (outcome) => outcome,
        (error: unknown) => error,
      )
      .finally(() => {
        isOver = true;
      });
    for (let turn = 0; turn < TURNS && !isOver; turn++)
      await new Promise((resolve) => setTimeout(resolve, 30));
    aborter.abort(stopped);
    expect(await settled).toBe(stopped);
  });
});
