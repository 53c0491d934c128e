import { describe, expect, it } from "vitest";
import { messageRows } from "./message-rows.js";

describe("FU5 a message of the user", () => {
  it("is shown below the prompt sign, wrapped between words", () => {
    expect(messageRows("one two\nthree", 9)).toEqual(["› one two", "  three"]);
  });

  it("shows the beginning of a long paste, and how much follows", () => {
    const text = Array.from({ length: 10_000 }, (_, line) => `${line + 1}`).join("\n");
    const rows = messageRows(text, 80);
    expect(rows).toHaveLength(21);
    expect(rows.slice(0, 2)).toEqual(["› 1", "  2"]);
    expect(rows.slice(-2)).toEqual(["  20", "  … 9,980 more lines"]);
  });

  it("shows all of a message of 40 lines", () => {
    expect(messageRows("a\n".repeat(40), 80)).toHaveLength(40);
  });
});
