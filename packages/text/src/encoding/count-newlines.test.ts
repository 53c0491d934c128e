import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countNewlines } from "./count-newlines.js";

describe("countNewlines", () => {
  it("counts every byte that is a newline, wherever the stretch begins and ends", () => {
    const bytes = fc.array(
      fc.oneof(fc.constantFrom(0x0a, 0x0b, 0x8a, 0x09, 0x00, 0xff), fc.nat({ max: 255 })),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(bytes, fc.nat({ max: 60 }), fc.nat({ max: 60 }), (given, one, other) => {
        const from = Math.min(one, other, given.length);
        const to = Math.min(Math.max(one, other), given.length);
        const expected = given.slice(from, to).filter((byte) => byte === 0x0a).length;
        expect(countNewlines(Uint8Array.from(given), from, to)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("counts correctly if there are only newlines", () => {
    expect(countNewlines(new Uint8Array(100_003).fill(0x0a))).toBe(100_003);
  });
});
