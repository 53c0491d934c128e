import { describe, expect, it } from "vitest";
import { wrappedLines } from "./styled-rows.js";

describe("FU5 text wrapped between words", () => {
  it("continues below the indentation of its line, spaces or tabs", () => {
    expect(wrappedLines("one two three\n  four five\n\tsix seven", 11)).toEqual([
      "one two",
      "three",
      "  four five",
      "    six",
      "    seven",
    ]);
  });
});
