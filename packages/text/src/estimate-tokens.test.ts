import { describe, expect, it } from "vitest";
import { estimateTokens } from "./index.js";

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["hello world!", 3],
    ["中文测试", 4],
    ["ひらがなカタカナ", 8],
    ["안녕하세요", 5],
    ["ᄀᄁ", 2],
    ["，。", 2],
    ["豈︰", 2],
    ["привет", 2],
    ["— “quoted” —", 3],
    ["ꓐꓑꓒꓓ", 1],
    ["ﬁﬂﭏ\ue000", 1],
    ["ﷺﻼ", 1],
    ["😀", 2],
    ["const 名 = 1;", 4],
  ])("%j is about %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
