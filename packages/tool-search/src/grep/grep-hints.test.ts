import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import type { GrepResult } from "./grep-schema.js";

/** Creates the given number of matching files in each place that a call does not search by default. */
function treeOf(count: number): Record<string, string> {
  const files: Record<string, string> = { ".gitignore": "out/\n", "src/none.ts": "nothing\n" };
  for (let number = 0; number < count; number++) {
    files[`src/${number}.ts`] = "call(Needle)\n";
    files[`out/${number}.js`] = "needle\nneedle\n";
    files[`.cache/${number}.js`] = "needle\n";
    files[`out/.deep/${number}.js`] = "unicorn\n";
  }
  return files;
}

async function hintsFor(count: number, args: object): Promise<readonly string[]> {
  const { succeed } = await realRuntime({ files: treeOf(count) });
  return (await succeed<GrepResult>("grep", { case_sensitive: true, ...args })).value.hints;
}

// Hints are computed while there is time: here the clock stands still.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

// Beyond 200 matching files, each variation of the call searches all files.
describe.each([1, 3, 70])("a call that finds nothing, with %i files in each place", (count) => {
  const amount = (lines: number) =>
    `${lines === 1 ? "1 match" : `${lines} matches`} in ${count === 1 ? "1 file" : `${count} files`}`;

  it("learns what each change alone would find", async () => {
    expect(await hintsFor(count, { pattern: "needle" })).toEqual([
      `${amount(count)} with case_sensitive:false.`,
      `${amount(2 * count)} with include_ignored:true.`,
      `${amount(count)} with include_hidden:true.`,
    ]);
  });

  it("learns what only two changes together would find", async () => {
    expect(await hintsFor(count, { pattern: "unicorn" })).toEqual([
      `${amount(count)} with include_hidden:true and include_ignored:true.`,
    ]);
  });

  it("reports the matches as plain text, and no other hint", async () => {
    expect(await hintsFor(count, { pattern: "call(Needle)" })).toEqual([
      `${amount(count)} with literal:true (the pattern as plain text).`,
    ]);
    expect(await hintsFor(count, { pattern: "no such thing" })).toEqual([]);
  });
});
