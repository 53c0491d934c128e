import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { foldPunctuation } from "./fold-punctuation.js";

describe("foldPunctuation", () => {
  it("maps every typographic character to an ASCII one, and nothing else", () => {
    const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join("");
    const folded = foldPunctuation(all);
    const changed = [...all].filter((character, code) => folded[code] !== character).join("");
    expect(changed).toBe(
      "\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a‐‑‒–—―‘’‚‛“”„‟\u202f′″\u205f−\u3000",
    );
    expect(foldPunctuation("“a”\u00a0– ‘b’")).toBe(`"a" - 'b'`);
    expect(foldPunctuation("plain")).toBe("plain");
  });

  it("FR8 folds a text of only such characters, of any length, in linear time", () => {
    const text = "“—\u00a0😀x".repeat(200_000);
    const usedMs = measureProcessorTime();
    expect(foldPunctuation(text)).toBe('"- 😀x'.repeat(200_000));
    expect(usedMs()).toBeLessThan(250);
  });
});
