import { countLines, lineAt, spliceText } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesCovered } from "./line-numbers.js";
import { countLinesAfter, linesOfPart, splicedPart } from "./spliced-part.js";
import { TextLines } from "./text-lines.js";

const text = fc.array(fc.constantFrom("a", "\n", "\r\n", "bc"), { maxLength: 20 }).map((all) => all.join(""));
const longText = fc.array(text, { maxLength: 12 }).map((all) => all.join(""));
const cut = fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 }), text);

describe("splicedPart", () => {
  it("describes the new text as a search through all of it would", () => {
    fc.assert(
      fc.property(text, cut, cut, (before, first, second) => {
        const splices = inOrder(before, [first, second]);
        const after = spliceText(before, splices);
        const part = splicedPart(before, splices);
        expect(part.before === part.after).toBe(before === after);
        expect(countLinesAfter(before, countLines(before), part)).toBe(countLines(after));
        const covered = linesCovered(after, part.start, part.start + part.after.length);
        expect(linesOfPart(part, lineAt(before, part.start))).toEqual(covered);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("TextLines", () => {
  it("counts and splits like String.split", () => {
    fc.assert(
      fc.property(longText, (given) => {
        const lines = new TextLines(given);
        expect(lines.length).toBe(countLines(given));
        expect(Array.from({ length: lines.length }, (_, index) => lines.spanAt(index))).toEqual(
          spansBySplitting(given),
        );
        for (let at = 0; at <= given.length; at += 1) expect(lines.lineAt(at)).toBe(lineAt(given, at));
        expect(lines.spanAt(-1)).toBeUndefined();
        expect(lines.spanAt(lines.length)).toBeUndefined();
      }),
    );
  });
});

function inOrder(before: string, cuts: readonly (readonly [number, number, string])[]) {
  let at = 0;
  return cuts.map(([skipped, replaced, replacement]) => {
    const start = Math.min(before.length, at + skipped);
    at = Math.min(before.length, start + replaced);
    return { start, end: at, replacement };
  });
}

function spansBySplitting(given: string) {
  let start = 0;
  return given.split(/(?<=\n)/).flatMap((line) => {
    if (line === "") return [];
    const ending = /\r?\n$/.exec(line)?.[0] ?? "";
    const span = { start, end: start + line.length - ending.length, ending };
    start += line.length;
    return [span];
  });
}
