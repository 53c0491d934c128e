import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { splitHidden } from "./display.js";
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

  it("FE9 escapes every character that Unicode allows programs to ignore", () => {
    const ignorable = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character));
    const shown = ignorable.filter((character) => renderInline(`a${character}b`).includes(character));
    expect(shown.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  });

  it.each([
    ["Persian", "می\u200cخواهم کتاب\u200cها را بخوانم"],
    ["Persian with vowel signs", "کِتابِ\u200cمن"],
    ["Arabic signs of numbers", "\u0600١٢٣ \u06dd٤"],
    ["Hindi", "क्\u200dष और क्\u200cष"],
    ["Bengali", "র\u200d্যাম"],
    ["Malayalam at the end of a word", "അവന്\u200d വന്നു"],
    ["Sinhala", "ශ්\u200dරී ලංකාව"],
    ["Kannada", "ರ\u200d್ಯಾಲಿ"],
    ["Khmer word breaks", "ភាសា\u200bខ្មែរ"],
    ["Mongolian", "ᠮᠣᠩᠭᠣᠯ\u180e\u180b".slice(0, 7)],
    ["a family", "👨\u200d👩\u200d👧\u200d👦"],
    ["skin tones", "👩🏽\u200d🚀 and 🧑🏿\u200d🤝\u200d🧑🏻"],
    ["a rainbow flag", "🏳\ufe0f\u200d🌈"],
    ["a heart on fire", "❤\ufe0f\u200d🔥"],
    ["the flag of Scotland", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!"],
    ["a keycap", "1\ufe0f\u20e3"],
    ["selectors", "☎\ufe0f ©\ufe0f ✔\ufe0e"],
    ["a variant of an ideograph", "葛\u{e0100}城市 and 神\ufe00"],
  ])("FA12 shows %s as it is", (_name, text) => {
    expect(renderForHuman(text)).toBe(text);
    expect(renderInline(text)).toBe(text);
    expect(JSON.parse(renderJson(text))).toBe(text);
    expect(renderJson(text)).toBe(JSON.stringify(text));
  });

  it.each([
    ["git\u200dcommit", "git\\u200dcommit"],
    ["rm\u200c -rf", "rm\\u200c -rf"],
    ["میخ\u200c ", "میخ\\u200c "],
    ["می\u200c\u200cخ", "می\\u200c\\u200cخ"],
    ["\u200cمی", "\\u200cمی"],
    ["a\u200dم", "a\\u200dم"],
    ["👨\u200d", "👨\\u200d"],
    ["👨\u200dx", "👨\\u200dx"],
    ["\u200d👨", "\\u200d👨"],
    ["می\u200eخ\u200f\u202e", "می\\u200eخ\\u200f\\u202e"],
    ["a\ufe0fb", "a\\ufe0fb"],
    ["😀\ufe0f\ufe01\ufe02", "😀\ufe0f\\ufe01\\ufe02"],
    ["1\ufe0f2", "1\\ufe0f2"],
    ["葛\u{e0100}\u{e0101}", "葛\u{e0100}\\u{e0101}"],
    ["🏴\u{e0067}\u{e0062}", "🏴\\u{e0067}\\u{e0062}"],
    ["🏴\u{e0041}\u{e0042}\u{e0043}\u{e007f}", "🏴\\u{e0041}\\u{e0042}\\u{e0043}\\u{e007f}"],
    ["x\u{e0067}\u{e0062}\u{e0073}\u{e007f}", "x\\u{e0067}\\u{e0062}\\u{e0073}\\u{e007f}"],
    ["ab\u200bcd", "ab\\u200bcd"],
    ["soft\u00adhyphen", "soft\\xadhyphen"],
    ["\ufe70\u200c\ufe70", "\ufe70\\u200c\ufe70"],
  ])("FA12 escapes hidden characters: %j", (text, shown) => {
    expect(renderForHuman(text)).toBe(shown);
  });

  it("FA12 S0.NFR is linear in a text of joiners", () => {
    for (const piece of ["\u200d", "م\u200c", "👨\u200d", "🏴\u{e0067}", "\ufe0f"]) {
      const usedMs = measureProcessorTime();
      renderForHuman(piece.repeat(200_000));
      expect(usedMs(), piece).toBeLessThan(5_000);
    }
  });

  it("escapes newlines and tabs as well if it must be one line", () => {
    expect(renderInline("a\r\n\tb\x1b")).toBe("a\\r\\n\\tb\\x1b");
  });

  it("truncates the middle and states the omitted length", () => {
    expect(renderForHuman("0123456789", { maxChars: 10 })).toBe("0123456789");
    expect(renderForHuman("0123456789", { maxChars: 5 })).toBe("012 …[5 more characters]… 89");
    expect(renderInline("01\n3456789", { maxChars: 6 })).toBe("01\\n …[4 more characters]… 789");
    expect(renderForHuman("ab😀cd😀ef", { maxChars: 6 })).toBe("ab …[6 more characters]… ef");
    expect(renderForHuman("abc", { maxChars: 0 })).toBe(" …[3 more characters]… ");
  });

  it("escapes everything that moves the cursor, reorders or hides", () => {
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
  it("writes active or hidden characters as escapes", () => {
    expect(renderJson({ "a\u202e": ["\x9b31m", "\u{e0041}", "é 日本 😀\n"] })).toBe(
      '{"a\\u202e":["\\u009b31m","\\udb40\\udc41","é 日本 😀\\n"]}',
    );
  });

  it("parses to the same value as JSON", () => {
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

describe("splitHidden", () => {
  const marked = (text: string) =>
    splitHidden(text)
      .map((run) => (run.isHidden ? `<${[...run.text].length}>` : run.text))
      .join("");

  it("FA12 marks characters that hide or reorder, and keeps those that scripts need", () => {
    expect(marked("a\u202eb\u200b\u200bc")).toBe("a<1>b<2>c");
    expect(marked("\u202e\x1b[0m")).toBe("<2>[0m");
    expect(marked("⚠️ 👨‍👩‍👧 می‌خواهم क्‍ष")).toBe("⚠️ 👨‍👩‍👧 می‌خواهم क्‍ष");
    expect(marked("plain\n\ttext")).toBe("plain\n\ttext");
    expect(marked("")).toBe("");
  });
});
