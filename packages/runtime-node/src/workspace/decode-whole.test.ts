import { decodeText } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeWhole } from "./decode-whole.js";

describe("decodeWhole", () => {
  it("returns the result of decodeText", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60, max: 0x90 }),
        fc.nat({ max: 800 }),
        async (bytes, repeated) => {
          const all = new Uint8Array(bytes.length * repeated);
          for (let at = 0; at < all.length; at += bytes.length) all.set(bytes, at);
          expect(await decodeWhole(all)).toEqual(decodeText(all));
        },
      ),
    );
  });

  it("returns the result of decodeText for UTF-8, valid or with a broken byte", async () => {
    const texts = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });
    const broken = fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0x80, max: 0xff })), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.nat({ max: 800 }),
        fc.boolean(),
        broken,
        async (text, repeated, isMarked, change) => {
          const all = new Uint8Array(Buffer.from((isMarked ? "\ufeff" : "") + text.repeat(repeated)));
          if (change !== undefined && all.length > 0) all[change[0] % all.length] = change[1];
          expect(await decodeWhole(all)).toEqual(decodeText(all));
        },
      ),
    );
  });

  it("decodes more UTF-8 than fits the conversion through UTF-16", async () => {
    const text = "\u00e9\u{1f600} and a few words in a line\n".repeat(600_000);
    expect((await decodeWhole(new Uint8Array(Buffer.from(text))))?.text === text).toBe(true);
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["one byte that is no text", Uint8Array.of(0)],
    ["UTF-16 without a mark", new Uint8Array(Buffer.from("plain words, in lines\n".repeat(50), "utf16le"))],
    ["many control characters", new Uint8Array(9000).fill(1)],
    ["a character past the sample", new Uint8Array(Buffer.from(`${"a\n".repeat(20_000)}\u00e9`))],
    ["a byte past the sample that no UTF-8 has", new Uint8Array(40_000).fill(97).fill(0xe9, 39_999)],
    ["UTF-8 with a mark", new Uint8Array(Buffer.from(`\ufeff${"\u00e9\n".repeat(20_000)}`))],
    ["UTF-8 with two marks", new Uint8Array(Buffer.from("\ufeff\ufeff\u{1f600}"))],
    ["UTF-8 with NULs", new Uint8Array(Buffer.from("\u00e9\0\u00e9\0".repeat(50)))],
    ["UTF-8 cut in a character", new Uint8Array(Buffer.from("a\u{1f600}")).subarray(0, 4)],
    ["UTF-8 in part of a larger buffer", new Uint8Array(Buffer.from("|\u00e9\u{1f600}|")).subarray(1, 7)],
    ["part of a larger buffer", new Uint8Array(Buffer.from("before|a text|after")).subarray(7, 13)],
  ])("%s too", async (_, bytes) => {
    expect(await decodeWhole(bytes)).toEqual(decodeText(bytes));
  });
});
