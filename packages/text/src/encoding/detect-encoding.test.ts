import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleFormats, sampleTexts } from "../../fixtures/sample-texts.js";
import { detectEncoding, encodeText, looksBinary } from "../index.js";

const utf16 = ["utf-16le", "utf-16be"];

describe("detectEncoding", () => {
  it.each(sampleTexts)("detects $encoding in a sample cut anywhere: $text", ({ encoding, text }) => {
    const bytes = encodeText(text.repeat(4), { encoding, bom: false });
    for (let length = bytes.length - 6; length <= bytes.length; length++) {
      expect(detectEncoding(bytes.subarray(0, length), { partial: true })).toEqual({ encoding, bom: false });
    }
  });

  it.each(sampleFormats)("detects $encoding, bom $bom, in a sample cut anywhere", (format) => {
    const bytes = encodeText("some text with é, 一日 and 😀".repeat(3), format);
    for (let length = bytes.length - 6; length <= bytes.length; length++) {
      expect(detectEncoding(bytes.subarray(0, length), { partial: true })).toEqual(format);
    }
  });

  it("does not accept a cut in a complete file", () => {
    const bytes = encodeText("é", { encoding: "utf-8", bom: false });
    expect(detectEncoding(bytes.subarray(0, 1), { partial: true })).toEqual({
      encoding: "utf-8",
      bom: false,
    });
    expect(detectEncoding(bytes.subarray(0, 1))?.encoding).not.toBe("utf-8");
  });

  it("returns no encoding for binary data", () => {
    expect(detectEncoding(Uint8Array.of(1, 0, 2, 0, 0, 3))).toBeUndefined();
  });
});

describe("UTF-16 without a byte order mark", () => {
  it.each([
    "Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER]\r\n",
    "第一章\r\n这是没有标记的文本。\r\n一一一\r\n",
    "これは日本語のテキストです。\r\nカタカナも。\r\n",
    "안녕하세요 여러분\r\n",
    "Привет, мир!\r\n",
    "Γειά σου Κόσμε\r\n",
    "שלום עולם שלום\r\n",
    "mixed 中文 and Latin\r\n",
  ])("is recognised: %j", (text) => {
    for (const encoding of utf16) {
      const bytes = encodeText(text, { encoding, bom: false });
      expect(looksBinary(bytes)).toBe(false);
      expect(detectEncoding(bytes)).toEqual({ encoding, bom: false });
    }
  });

  it("is recognised beyond the first 8 KiB", () => {
    const bytes = encodeText("line 😀\r\n".repeat(2000), { encoding: "utf-16be", bom: false });
    expect(detectEncoding(bytes)).toEqual({ encoding: "utf-16be", bom: false });
  });

  it("is not detected in ASCII with NULs", () => {
    const ascii = fc.string({
      unit: fc.constantFrom(..."abcdefghijklmnop /_.=\n"),
      minLength: 4,
      maxLength: 60,
    });
    fc.assert(
      fc.property(ascii, fc.nat(), (text, at) => {
        const bytes = encodeText(text, { encoding: "utf-8", bom: false });
        bytes[at % bytes.length] = 0;
        expect(looksBinary(bytes)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("looksBinary", () => {
  it.each([
    ["nothing", [], false],
    ["ASCII", [0x61, 0x0a], false],
    ["a NUL", [0x61, 0, 0x62], true],
    ["a quarter of control characters", [1, 0x61, 0x62, 0x63], false],
    ["a third of control characters", [1, 0x61, 0x62], true],
    ["white space and escapes", [0x09, 0x0a, 0x0c, 0x0d, 0x1b, 0x08], false],
    ["vertical tabs and deletes", [0x0b, 0x7f, 0x61], true],
    ["bytes above ASCII", [0xc4, 0xe3], false],
    ["a UTF-8 mark before a NUL", [0xef, 0xbb, 0xbf, 0x61, 0], true],
    ["a UTF-16 mark", [0xff, 0xfe, 0x61, 0], false],
    ["a UTF-32 mark", [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61], false],
  ])("%s", (_name, bytes, expected) => {
    expect(looksBinary(Uint8Array.from(bytes))).toBe(expected);
  });

  it("inspects only the first 8 KiB", () => {
    const bytes = new Uint8Array(9000).fill(0x61);
    bytes[8192] = 0;
    expect(looksBinary(bytes)).toBe(false);
    bytes[8191] = 0;
    expect(looksBinary(bytes)).toBe(true);
  });
});
