import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWellFormed } from "../well-formed.js";
import { utf8Position } from "./utf-8-position.js";

describe("utf8Position", () => {
  it("is the encoded length of the text before it, and undefined inside a character", () => {
    const piece = fc.constantFrom(
      "a",
      "abcdefgh",
      "\u00e9",
      "日本",
      "😀",
      "\n",
      "😀😀😀",
      "plain ascii text",
    );
    const text = fc.array(piece, { maxLength: 20 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.nat({ max: 7 }), fc.nat(), (given, offset, index) => {
        const units = index % (given.length + 1);
        const head = given.slice(0, units);
        const expected = isWellFormed(head) ? Buffer.byteLength(head) : -1;
        const bytes = placed(new TextEncoder().encode(given), offset);
        expect(utf8Position(bytes, 0, units)).toBe(expected);
        if (expected !== -1) expect(utf8Position(bytes, expected, given.length - units)).toBe(bytes.length);
        expect(utf8Position(bytes, 0, given.length + 1)).toBe(-1);
      }),
      { numRuns: 1000 },
    );
  });
});

/** The same bytes at an offset of a larger buffer, so that words can start anywhere. */
function placed(bytes: Uint8Array, offset: number): Uint8Array {
  const room = new Uint8Array(bytes.length + offset + 5).fill(0x0a);
  room.set(bytes, offset);
  return room.subarray(offset, offset + bytes.length);
}
