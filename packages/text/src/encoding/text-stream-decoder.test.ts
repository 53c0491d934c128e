import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleFormats, sampleTexts } from "../../fixtures/sample-texts.js";
import { createTextStreamDecoder, DecodingError, encodeText, isWellFormed } from "../index.js";

function decodeInChunks(
  bytes: Uint8Array,
  sizes: readonly number[],
  format: { encoding: string; bom: boolean },
): string[] {
  const decoder = createTextStreamDecoder(format);
  const parts: string[] = [];
  let at = 0;
  for (const size of sizes) {
    // A Node Buffer whose memory is reused, as file readers do.
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    parts.push(decoder.decode(chunk));
    chunk.fill(0xff);
    at += size;
  }
  parts.push(decoder.decode(bytes.subarray(at)), decoder.end());
  return parts;
}

const sizes = fc.array(fc.nat(5), { maxLength: 60 });

describe("createTextStreamDecoder", () => {
  it.each(sampleTexts)("decodes $encoding in chunks of any size: $text", ({ encoding, text }) => {
    const bytes = encodeText(text, { encoding, bom: false });
    fc.assert(
      fc.property(sizes, (chunks) => {
        expect(decodeInChunks(bytes, chunks, { encoding, bom: false }).join("")).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it.each(sampleFormats)("decodes $encoding, bom $bom, in chunks of any size", (format) => {
    const text = fc.string({
      unit: fc.constantFrom("a", "é", "日", "😀", "\ufffd", "\ufeff", "\n"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, sizes, (value, chunks) => {
        const parts = decodeInChunks(encodeText(value, format), chunks, format);
        expect(parts.join("")).toBe(value);
        expect(parts.every(isWellFormed)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["utf-8", [0x61, 0xff]],
    ["utf-8", [0xc3, 0x28]],
    ["utf-16le", [0x00, 0xdc, 0x61, 0x00]],
    ["utf-16be", [0xd8, 0x00, 0x00, 0x61]],
    ["utf-32le", [0x00, 0x00, 0x11, 0x00]],
    ["shift_jis", [0x61, 0xfd, 0xfd]],
    ["gb18030", [0xff, 0x61]],
    ["windows-1252", [0x61, 0x81]],
  ])("throws on bytes that are not %s", (encoding, bytes) => {
    const decoder = createTextStreamDecoder({ encoding, bom: false });
    expect(() => decoder.decode(Uint8Array.from(bytes))).toThrow(DecodingError);
  });

  it.each([
    ["utf-8", [0x61, 0xe6, 0x97]],
    ["utf-16le", [0x61, 0x00, 0x3d, 0xd8]],
    ["utf-16be", [0x00, 0x61, 0x00]],
    ["utf-32be", [0x00, 0x00, 0x00]],
    ["gb18030", [0x61, 0x81, 0x30, 0x81]],
  ])("throws if %s ends inside a character", (encoding, bytes) => {
    const decoder = createTextStreamDecoder({ encoding, bom: false });
    decoder.decode(Uint8Array.from(bytes));
    expect(() => decoder.end()).toThrow(`The bytes are not valid ${encoding}`);
  });

  it("brands its error for other copies of the package", () => {
    expect(DecodingError.is(new DecodingError("utf-8"))).toBe(true);
    expect(DecodingError.is(new Error("x"))).toBe(false);
  });

  it("rejects an unknown encoding", () => {
    expect(() =>
      createTextStreamDecoder({ encoding: "klingon", bom: false }).decode(Uint8Array.of(1)),
    ).toThrow("Unknown encoding: klingon");
  });
});
