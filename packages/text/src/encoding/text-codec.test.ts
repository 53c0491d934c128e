import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { sampleFormats, sampleTexts } from "../../fixtures/sample-texts.js";
import {
  decodeText,
  decodeTextSteps,
  EncodingError,
  encodeText,
  encodeTextSteps,
  isWellFormed,
  type Steps,
  type TextFormat,
} from "../index.js";

const utf8: TextFormat = { encoding: "utf-8", bom: false };

function bytesOf(...bytes: number[]): Uint8Array {
  return Uint8Array.from(bytes);
}

function expectRoundTrip(bytes: Uint8Array): void {
  const decoded = decodeText(bytes);
  if (decoded === undefined) return;
  expect(isWellFormed(decoded.text)).toBe(true);
  expect([...encodeText(decoded.text, decoded.format)]).toEqual([...bytes]);
}

describe("long texts", () => {
  // Longer than one step, with characters of every length across its end.
  const longTexts = sampleFormats.flatMap((format) =>
    [0, 1, 2, 3].map(
      (shift) => [format, "x".repeat(65_533 + shift) + "é日\u{1f600}語".repeat(1_000)] as const,
    ),
  );

  it.each(longTexts)(
    "FR8 %o is decoded and encoded in steps with the same result as at once",
    (format, text) => {
      const bytes = encodeText(text, format);
      expect(Buffer.compare(steps(encodeTextSteps(text, format)).value, bytes)).toBe(0);
      const { count, value } = steps(decodeTextSteps(bytes, { encoding: format.encoding }));
      expect(value?.text === text && value.format.encoding === format.encoding).toBe(true);
      if (format.encoding !== "utf-8") expect(count).toBeGreaterThan(2);
    },
  );

  it.each(["windows-1251", "shift_jis", "big5", "euc-jp", "gb18030", "euc-kr"])(
    "FR8 %s: a long text decodes as with iconv-lite, and an invalid character is located",
    (encoding) => {
      const text = `${"ab".repeat(32_700)}${"Дом ".repeat(30_000)}`;
      const bytes = encodeText(text, { encoding, bom: false });
      expect(Buffer.compare(bytes, iconv.encode(text, encoding))).toBe(0);
      expect(decodeText(bytes, { encoding })?.text === text).toBe(true);
      for (const index of [65_535, 65_536, 100_001, text.length]) {
        const wrong = `${text.slice(0, index)}\u0e01${text.slice(index)}`;
        const encode = () => encodeText(wrong, { encoding, bom: false });
        if (encoding === "gb18030") expect(encode).not.toThrow();
        else expect(encode).toThrow(expect.objectContaining({ index, character: "\u0e01" }));
      }
      const broken = bytes.slice();
      broken[90_000] = 0xff;
      broken[90_001] = 0xff;
      if (encoding !== "windows-1251") expect(decodeText(broken, { encoding })).toBeUndefined();
    },
  );
});

function steps<T>(work: Steps<T>): { count: number; value: T } {
  for (let count = 1; ; count += 1) {
    const step = work.next();
    if (step.done === true) return { count, value: step.value };
  }
}

describe("decodeText", () => {
  it.each(sampleTexts)("reads $encoding: $text", ({ encoding, text }) => {
    const bytes = encodeText(text, { encoding, bom: false });
    expect(iconv.decode(bytes, encoding)).toBe(text);
    expect(decodeText(bytes)).toMatchObject({ text, format: { encoding, bom: false } });
  });

  it.each(sampleFormats)("reads what encodeText wrote as $encoding, bom $bom", (format) => {
    const text = "plain text\r\nna\u00efve caf\u00e9 \u2014 日本語 \u{1f600}\n".repeat(3);
    expect(decodeText(encodeText(text, format))).toEqual({ text, format });
    expect(decodeText(encodeText("", { ...format, bom: true }))).toEqual({
      text: "",
      format: { ...format, bom: true },
    });
  });

  it("keeps a second byte order mark as text", () => {
    expect(decodeText(bytesOf(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf))?.text).toBe("\ufeff");
  });

  it("decodes the full-width tilde of EUC-JP as other programs do", () => {
    const bytes = Uint8Array.from([
      ...iconv.encode("時間は", "euc-jp"),
      0xa1,
      0xc1,
      ...iconv.encode("です", "euc-jp"),
    ]);
    expect(decodeText(bytes)).toMatchObject({
      text: "時間は～です",
      format: { encoding: "euc-jp", bom: false },
    });
  });

  it("decodes an empty file as UTF-8", () => {
    expect(decodeText(new Uint8Array(0))).toEqual({ text: "", format: utf8 });
  });

  it.each([
    ["overlong UTF-8", bytesOf(0x61, 0xc0, 0x80)],
    ["a UTF-8 surrogate", bytesOf(0xed, 0xa0, 0x80)],
    ["beyond Unicode", bytesOf(0xf4, 0x90, 0x80, 0x80)],
  ])("never reads %s as UTF-8", (_name, bytes) => {
    expect(decodeText(bytes)?.format.encoding).not.toBe("utf-8");
  });

  it.each([
    ["a NUL", "plain\0text"],
    ["a NUL that leaves an even length", "ab\0d"],
    ["NULs on one side only by chance", "hello wo\0rld, this is a line\0 !"],
    ["a record of C strings", "name\0value\0\0\0"],
    ["NUL behind a UTF-8 mark", "\ufeffa\0b"],
    ["mostly control characters", "\x01\x02\x03\x04abc\x05"],
  ])("treats %s as binary", (_name, text) => {
    expect(decodeText(encodeText(text, utf8))).toBeUndefined();
  });

  it.each([
    ["PNG", bytesOf(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52)],
    ["gzip", bytesOf(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x4c, 0x4a, 6, 0)],
    ["UTF-16 of odd length", bytesOf(0xff, 0xfe, 0x61, 0x00, 0x62)],
    ["UTF-16 with a lone surrogate", bytesOf(0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00)],
    ["UTF-32 beyond Unicode", bytesOf(0xff, 0xfe, 0, 0, 0, 0, 0x11, 0)],
    ["UTF-16 control characters", bytesOf(0xfe, 0xff, 0, 1, 0, 2, 0, 3, 0, 4)],
    ["a byte no Latin text has", bytesOf(0x61, 0x20, 0x81, 0x20)],
  ])("refuses %s", (_name, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
  });

  it("rejects UTF-8 with a broken byte, where any other reading would invite a mixed file", () => {
    const accented = sampleTexts
      .map(({ text }) => text)
      .filter((text) => text.replace(/[\0-\x7f]/g, "").length > 4);
    for (const text of accented) {
      const bytes = [...encodeText(text, utf8)];
      for (let at = 0; at <= bytes.length; at++) {
        expect(
          decodeText(Uint8Array.from(bytes.toSpliced(at, 0, [0xff, 0x80, 0xc3, 0xe9][at % 4] ?? 0))),
        ).toBeUndefined();
      }
    }
    expect(decodeText(encodeText("日本語", utf8).subarray(0, 8))).toBeUndefined();
  }, 60_000);

  it("accepts a NUL far into UTF-8", () => {
    const text = `${"x".repeat(9000)}\0`;
    expect(decodeText(encodeText(text, utf8))).toEqual({ text, format: utf8 });
  });

  it("falls back to windows-1252 for bytes that no language explains", () => {
    expect(decodeText(bytesOf(0x61, 0x0a, 0x80, 0x0a))).toEqual({
      text: "a\n€\n",
      format: { encoding: "windows-1252", bom: false },
      doubt: "no charset is declared",
    });
  });

  it("detects the encoding where the text stops being ASCII", () => {
    const text = `${"// plain ASCII, line after line\n".repeat(4000)}// 最后一行才有中文\n`;
    expect(decodeText(iconv.encode(text, "gb18030"))).toMatchObject({
      text,
      format: { encoding: "gb18030", bom: false },
    });
  });
});

describe("law: decoded text encodes to the same bytes", () => {
  const any = fc.uint8Array({ maxLength: 60 });
  const aboveAscii = fc
    .array(fc.integer({ min: 0x80, max: 0xff }), { maxLength: 30 })
    .map((bytes) => Uint8Array.from(bytes));
  const textLike = fc
    .array(
      fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(0x0a)),
      { maxLength: 40 },
    )
    .map((bytes) => Uint8Array.from(bytes));
  const marked = fc
    .tuple(
      fc.constantFrom([0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]),
      any,
    )
    .map(([mark, body]) => Uint8Array.of(...mark, ...body));
  const spaced = textLike.map((bytes) => Uint8Array.from([...bytes].flatMap((byte) => [byte, 0])));

  it.each([
    ["any bytes", any],
    ["bytes above ASCII", aboveAscii],
    ["text-like bytes", textLike],
    ["bytes behind a mark", marked],
    ["bytes with NULs between", spaced],
  ])("for %s", (_name, bytes) => {
    fc.assert(fc.property(bytes, expectRoundTrip), { numRuns: 2000 });
  });

  it.each(sampleTexts)("for $encoding with bytes changed", ({ encoding, text }) => {
    const original = iconv.encode(text, encoding);
    const change = fc.tuple(fc.nat(original.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), fc.nat(original.length), (changes, length) => {
        const bytes = Uint8Array.from(original);
        for (const [at, byte] of changes) bytes[at] = byte;
        expectRoundTrip(bytes.subarray(0, length));
      }),
      { numRuns: 200 },
    );
  });
});

describe("encodeText", () => {
  const encodings = [...new Set([...sampleTexts, ...sampleFormats].map(({ encoding }) => encoding))];

  it.each(encodings)("encodes %s strictly, or names what it cannot encode", (encoding) => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom("a", "?", "é", "ж", "日", "ｱ", "한", "\ufffd", "¥", "‾", "😀", "\n"),
        fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (value) => {
        const format = { encoding, bom: false };
        try {
          expect(iconv.decode(encodeText(value, format) as Buffer, encoding, { stripBOM: false })).toBe(
            value,
          );
        } catch (error) {
          if (!EncodingError.is(error)) throw error;
          expect(value.startsWith(error.character, error.index)).toBe(true);
          expect(error.encoding).toBe(encoding);
          expect(() => encodeText(value.slice(0, error.index), format)).not.toThrow();
          expect(() => encodeText(error.character, format)).toThrow(EncodingError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["windows-1252", "price: 5 ₽", 9, "₽"],
    ["windows-1252", "ok \ufffd", 3, "\ufffd"],
    ["windows-1252", "ok 😀", 3, "😀"],
    ["windows-1252", "\ufffd ₽", 0, "\ufffd"],
    ["shift_jis", "¥100", 0, "¥"],
    ["gb18030", "a\ud800b", 1, "\ud800"],
    ["utf-8", "a\udc00", 1, "\udc00"],
    ["utf-16le", "\ud83d", 0, "\ud83d"],
  ])("%s cannot encode %j", (encoding, text, index, character) => {
    expect(() => encodeText(text, { encoding, bom: false })).toThrow(
      expect.objectContaining({ name: "EncodingError", encoding, index, character }),
    );
  });

  it("describes the error", () => {
    expect(() => encodeText("₽", { encoding: "koi8-r", bom: false })).toThrow(
      'The character "₽" (U+20BD) at index 0 cannot be written in koi8-r',
    );
    expect(() => encodeText("\ud800", utf8)).toThrow(
      "The lone surrogate U+D800 at index 0 cannot be written in utf-8",
    );
    expect(() => encodeText("\u200b", { encoding: "big5", bom: false })).toThrow(
      "The character U+200B at index 0",
    );
  });

  it("rejects an unknown encoding", () => {
    expect(() => encodeText("a", { encoding: "klingon", bom: false })).toThrow("Unknown encoding: klingon");
  });

  it("brands its error for other copies of the package", () => {
    const foreign = Object.assign(new Error("x"), { [Symbol.for("@haft/text/EncodingError")]: true });
    expect(EncodingError.is(foreign)).toBe(true);
    expect(EncodingError.is(new Error("x"))).toBe(false);
    expect(EncodingError.is(undefined)).toBe(false);
  });

  it("names every format for which it writes a byte order mark", () => {
    expect(
      sampleFormats
        .filter(({ bom }) => bom)
        .map((format) => [format.encoding, encodeText("", format).length]),
    ).toEqual([
      ["utf-8", 3],
      ["utf-16le", 2],
      ["utf-16be", 2],
      ["utf-32le", 4],
      ["utf-32be", 4],
    ]);
    expect(encodeText("a", { encoding: "windows-1252", bom: true })).toHaveLength(1);
  });
});
