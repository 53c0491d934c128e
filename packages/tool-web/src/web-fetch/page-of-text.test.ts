import { estimateTokens } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageOfText } from "./page-of-text.js";

describe("pages of a text", () => {
  it("together are the whole, each within its limit and ending between two characters", () => {
    const character = fc.constantFrom("a", "\n", "😀", "漢", " ", "é");
    const text = fc.array(character, { maxLength: 200 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (whole, maxChars) => {
        let read = "";
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const page = pageOfText(whole, offset, maxChars);
          expect(page.body.length).toBeLessThanOrEqual(Math.max(2, maxChars));
          expect(page.body).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
          read += page.body;
          offset = page.nextOffset;
        }
        expect(read).toBe(whole);
      }),
    );
  });

  it("stay within the budget of a result, wherever the wide characters are", () => {
    for (const text of ["漢".repeat(40_000), "漢".repeat(20_000) + "a".repeat(20_000)]) {
      const { body, nextOffset } = pageOfText(text, 0, 40_000);
      expect(estimateTokens(body)).toBeLessThanOrEqual(10_500);
      expect(nextOffset).toBe(body.length);
    }
  });

  it("end at a line break if one is near", () => {
    expect(pageOfText("aaaaaaaaa\nbbbb", 0, 12).body).toBe("aaaaaaaaa\n");
    expect(pageOfText("a\nbbbbbbbbbbbbb", 0, 12).body).toBe("a\nbbbbbbbbbb");
  });

  it("start where possible: inside a character at the next, beyond the end nowhere", () => {
    expect(pageOfText("😀a", 1, 10).body).toBe("a");
    expect(pageOfText("", 0, 10)).toEqual({ body: "", nextOffset: undefined });
    expect(() => pageOfText("abc", 3, 10)).toThrow(/It has|beyond the end/);
  });
});
