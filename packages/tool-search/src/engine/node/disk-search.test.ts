import { runAll, type Steps } from "@haft/text/regex";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type DiskFixture, diskFixture, searchRequest } from "../../../test-support/search-fixture.js";
import { SearchKernel } from "../kernel/search-kernel.js";
import { compilePattern } from "../match/compile-pattern.js";
import { chooseAnswer } from "../search/search-tally.js";
import { DiskSearch } from "./disk-search.js";
import { viewOf } from "./read-folder.js";

const CALL_MS = 1_000;
const request = searchRequest("needle", {
  limits: { maxFileBytes: 1_000, fileMs: 60_000, callMs: CALL_MS },
});

let disk: DiskFixture;
let search: DiskSearch;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  disk = diskFixture({ "a.txt": "needle\n", "sub/b.txt": "needle\n" });
  search = new DiskSearch({
    root: disk.root,
    folders: { read: (path, held) => viewOf(held.hold(path), path) },
    index: undefined,
    request,
    pattern: compilePattern(request.pattern),
    kernel: new SearchKernel(1 << 20),
    mayOpen: () => true,
    isCancelled: () => false,
  });
});
afterEach(() => {
  search.release();
  disk.remove();
  vi.useRealTimers();
});

describe("S0.SAFE.3 a search that runs out of time", () => {
  it("while walking keeps its counts, and marks them as incomplete", () => {
    const files: string[] = [];
    expect(search.walk(files)).toBe(true);
    expect(files).toEqual(["a.txt"]);
    // A batch is searched when it is full, or at the end: here it is forced.
    runAll(search.search(files));
    runAll(Reflect.get(search, "searcher").flush() as Steps);
    vi.advanceTimersByTime(CALL_MS);
    expect(search.walk(files)).toBe(false);
    expect(runAll(search.finish())).toMatchObject({ totalLines: 1, totalFiles: 1, incomplete: "deadline" });
  });

  it("searches no further files, even if none of the earlier ones filled a batch", () => {
    expect(runAll(search.search(["a.txt"]))).toBe(true);
    vi.advanceTimersByTime(CALL_MS);
    expect(runAll(search.search(["sub/b.txt"]))).toBe(false);
    expect(search.searchedFiles).toBe(1);
    expect(runAll(search.finish())).toMatchObject({ incomplete: "deadline" });
  });

  it("while collecting marks the results as incomplete", () => {
    const files: string[] = [];
    while (search.walk(files));
    runAll(search.search(files));
    const tally = runAll(search.finish());
    expect(tally).toMatchObject({ totalLines: 2, incomplete: undefined });
    const wanted = chooseAnswer(tally, request);
    expect(runAll(search.collect(wanted))).toMatchObject({ files: [{}, {}], incomplete: undefined });
    vi.advanceTimersByTime(CALL_MS + 1);
    expect(runAll(search.collect(wanted))).toEqual({ files: [], incomplete: "deadline" });
  });
});
