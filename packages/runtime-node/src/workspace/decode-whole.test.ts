import { decodeText } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeWhole } from "./decode-whole.js";

describe("decodeWhole", () => {
  it("gives what decodeText gives", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60, max: 0x90 }), fc.nat({ max: 800 }), (bytes, repeated) => {
        const all = new Uint8Array(bytes.length * repeated);
        for (let at = 0; at < all.length; at += bytes.length) all.set(bytes, at);
        expect(decodeWhole(all)).toEqual(decodeText(all));
      }),
    );
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["one byte that is no text", Uint8Array.of(0)],
    ["UTF-16 without a mark", new Uint8Array(Buffer.from("plain words, in lines\n".repeat(50), "utf16le"))],
    ["many control characters", new Uint8Array(9000).fill(1)],
    ["a character past the sample", new Uint8Array(Buffer.from(`${"a\n".repeat(20_000)}\u00e9`))],
    ["a byte past the sample that no UTF-8 has", new Uint8Array(40_000).fill(97).fill(0xe9, 39_999)],
    ["part of a larger buffer", new Uint8Array(Buffer.from("before|a text|after")).subarray(7, 13)],
  ])("%s too", (_, bytes) => {
    expect(decodeWhole(bytes)).toEqual(decodeText(bytes));
  });
});
