import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { measureJson } from "./measure-json.js";

describe("measureJson", () => {
  it("FR6 knows the length of indented JSON before writing it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, 4), (value, indent) => {
        const written = JSON.stringify(value, null, indent);
        expect(measureJson(written).indentedChars).toBe(JSON.stringify(value, null, 2).length);
      }),
      { numRuns: 2_000 },
    );
  });

  it("FR6 measures 143 KB that would become hundreds of megabytes without a noticeable delay", () => {
    const deep = `${"[".repeat(12_000)}${"1,".repeat(59_000)}1${"]".repeat(12_000)}`;
    const usedMs = measureProcessorTime();
    const { indentedChars, values, depth } = measureJson(deep);
    expect(usedMs()).toBeLessThan(200);
    expect(indentedChars).toBeGreaterThan(1e9);
    expect([values, depth]).toEqual([71_001, 12_000]);
  });

  it.each(["", "[", '"', '{"a', "]]]]", "[[[", '["\\', "no json, at all: {", " \n\t "])(
    "FR6 survives invalid JSON: %j",
    (text) => {
      expect(measureJson(text).values).toBeGreaterThan(0);
    },
  );

  it("FR6 takes linear time for any repetition", () => {
    for (const part of ["[", "] ", '"', '\\"', '{"a":', "[ ", "\\", " "]) {
      const usedMs = measureProcessorTime();
      measureJson(part.repeat(2_000_000));
      expect(usedMs()).toBeLessThan(2_000);
    }
  });
});
