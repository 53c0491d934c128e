import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWellFormed, renderForHuman, renderInline, renderJson } from "./index.js";

describe("renderForHuman", () => {
  it.each([
    ["plain é 日本 😀\n\tnext", "plain é 日本 😀\n\tnext"],
    ["\x1b[31mred\x07\0", "\\x1b[31mred\\x07\\x00"],
    ["bad\rgood\r\n", "bad\\rgood\n"],
    ["\x7f\x9b", "\\x7f\\x9b"],
    ["a\u202eb\u2066c\u200bd\u2060\ufeff\ufff9", "a\\u202eb\\u2066c\\u200bd\\u2060\\ufeff\\ufff9"],
    ["\u{e0041}\u{e0100}", "\\u{e0041}\\u{e0100}"],
    ["a\ud800b\udc00", "a\\ud800b\\udc00"],
    ["\u2028\u061c\u00ad\u3164", "\\u2028\\u061c\\xad\\u3164"],
  ])("%j", (text, shown) => {
    expect(renderForHuman(text)).toBe(shown);
  });

  it("escapes newlines and tabs as well when it must be one line", () => {
    expect(renderInline("a\r\n\tb\x1b")).toBe("a\\r\\n\\tb\\x1b");
  });

  it("cuts the middle and says how much is missing", () => {
    expect(renderForHuman("0123456789", { maxChars: 10 })).toBe("0123456789");
    expect(renderForHuman("0123456789", { maxChars: 5 })).toBe("012 …[5 more characters]… 89");
    expect(renderInline("01\n3456789", { maxChars: 6 })).toBe("01\\n …[4 more characters]… 789");
    expect(renderForHuman("ab😀cd😀ef", { maxChars: 6 })).toBe("ab …[6 more characters]… ef");
    expect(renderForHuman("abc", { maxChars: 0 })).toBe(" …[3 more characters]… ");
  });

  it("lets nothing through that moves the cursor, reorders or hides", () => {
    const forbidden =
      /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xa0 }),
      fc.integer({ min: 0x2000, max: 0x2070 }),
      fc.integer({ min: 0xd7f0, max: 0xe010 }),
      fc.integer({ min: 0xfe00, max: 0xffff }),
      fc.integer({ min: 0xe0000, max: 0xe0200 }),
    );
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 20 }),
        fc.option(fc.nat(12), { nil: undefined }),
        (codes, maxChars) => {
          const text = String.fromCodePoint(...codes);
          const inline = renderInline(text, { maxChars });
          expect(inline).not.toMatch(forbidden);
          expect(isWellFormed(inline)).toBe(true);
          expect(renderForHuman(text, { maxChars }).replace(/[\n\t]/g, "")).not.toMatch(forbidden);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("renderJson", () => {
  it("writes what acts or hides as an escape", () => {
    expect(renderJson({ "a\u202e": ["\x9b31m", "\u{e0041}", "é 日本 😀\n"] })).toBe(
      '{"a\\u202e":["\\u009b31m","\\udb40\\udc41","é 日本 😀\\n"]}',
    );
  });

  it("means the same as JSON", () => {
    const text = fc.string({ unit: "binary", maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.jsonValue())), (entries) => {
        const json = renderJson(entries);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(entries)));
        expect(renderInline(json)).toBe(json);
      }),
    );
  });
});
