import { Pace } from "@haft/core/workspace";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visitRuns } from "./line-runs.js";
import { occurrences } from "./occurrences.js";

const pace = new Pace();

/** A text of few letters, so that prefixes of the wanted text are everywhere. */
const repetitive = (maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom("a", "ab", "aab", "b", "é"), fc.nat(maxLength / 4)), { maxLength: 6 })
    .map((parts) => parts.map(([part, count]) => part.repeat(count)).join(""));

function naively(text: string, wanted: string, max: number): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; wanted !== "" && at + wanted.length <= text.length && starts.length < max; )
    if (text.startsWith(wanted, at)) {
      starts.push(at);
      at += wanted.length;
    } else at += 1;
  return starts;
}

describe("occurrences", () => {
  it.each([
    ["short", 12],
    ["longer than what the built-in search is trusted with", 7_000],
  ])("finds the same places as a plain loop: %s", async (_title, maxLength) => {
    const cut = fc.tuple(repetitive(maxLength * 4), fc.nat(), fc.nat(maxLength), fc.boolean());
    await fc.assert(
      fc.asyncProperty(cut, fc.integer({ min: 1, max: 9 }), async ([text, from, length, isThere], max) => {
        const piece = text.slice(from % (text.length + 1)).slice(0, length);
        const wanted = isThere ? piece : `${piece}c`;
        expect(await occurrences(text, wanted, { max, pace })).toEqual(naively(text, wanted, max));
      }),
      { numRuns: maxLength > 100 ? 25 : 1_000 },
    );
  });

  it("FR8 yields to other work when prefix and suffix occur everywhere and the middle nowhere", async () => {
    const wanted = `${"a".repeat(2_000)}x${"a".repeat(2_000)}`;
    const text = "a".repeat(2_000_000);
    let last = performance.now();
    let stallMs = 0;
    const beat = () => {
      stallMs = Math.max(stallMs, performance.now() - last);
      last = performance.now();
    };
    const timer = setInterval(beat, 1);
    expect(await occurrences(text, wanted, { max: 2, pace: new Pace() })).toEqual([]);
    beat();
    clearInterval(timer);
    // It once took 11 s.
    expect(stallMs).toBeLessThan(500);
  });
});

describe("visitRuns", () => {
  const line = fc.constantFrom("a", "b", "");
  it("visits the same places as a plain loop, overlapping ones included", async () => {
    const lines = fc.array(line, { maxLength: 40 });
    const run = fc.array(line, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lines, run, fc.nat(10), async (texts, wanted, from) => {
        const visited: number[] = [];
        const visit = (start: number) => visited.push(start) > 5;
        await visitRuns({ length: texts.length, keyAt: (index) => texts[index] ?? "" }, wanted, {
          from,
          pace,
          visit,
        });
        const all = texts.map((_, start) => start).filter((start) => start >= from);
        const naive = all.filter((start) => wanted.every((text, index) => texts[start + index] === text));
        expect(visited).toEqual(naive.slice(0, 6));
      }),
    );
  });
});
