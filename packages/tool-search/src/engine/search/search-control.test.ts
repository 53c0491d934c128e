import { runAll, type Steps } from "@haft/text/regex";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FileTimedOut, SearchControl, SearchStopped } from "./search-control.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function control(callMs: number): SearchControl {
  return new SearchControl(() => false, { callMs, fileMs: 60_000 });
}

// biome-ignore lint/correctness/useYield: work that needs one step.
function* step(work: () => unknown): Steps {
  work();
}

it.each([
  [30_000, 28_000],
  [1000, 750],
])("counts within a call of %d ms for %d ms and collects in the rest, never beyond", (callMs, countingMs) => {
  const counting = control(callMs);
  vi.advanceTimersByTime(countingMs);
  counting.pulse();
  vi.advanceTimersByTime(1);
  expect(counting.pulse).toThrow(SearchStopped);
  counting.startCollecting();
  vi.advanceTimersByTime(callMs - countingMs - 1);
  expect(runAll(counting.attempt(() => step(counting.pulse)))).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(runAll(counting.attempt(() => step(counting.pulse)))).toEqual([]);
});

it("counts a file's time only while it is examined", () => {
  const control = new SearchControl(() => false, { callMs: 60_000, fileMs: 10 });
  control.startFile();
  vi.advanceTimersByTime(11);
  expect(control.pulse).toThrow(FileTimedOut);
  control.endFile();
  control.pulse();
  expect(runAll(control.attempt(() => step(() => vi.advanceTimersByTime(11))))).toHaveLength(1);
  control.pulse();
});
