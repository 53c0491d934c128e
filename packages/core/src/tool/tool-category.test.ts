import { describe, expect, it } from "vitest";
import { categoryHeading, KNOWN_CATEGORIES } from "../kernel.js";

describe("S0.CAT categories", () => {
  it("S0.CAT each has a heading and a description, in prompt order", () => {
    expect(KNOWN_CATEGORIES.map((category) => categoryHeading(category).title)).toEqual([
      "Search & Discovery",
      "File Reading",
      "File Writing",
      "File Management",
      "Execution",
      "Web",
    ]);
    for (const category of KNOWN_CATEGORIES) expect(categoryHeading(category).description).not.toBe("");
  });

  it("another package's category gets a title from its name", () => {
    expect(categoryHeading("x-code-review")).toEqual({
      title: "Code Review",
      description: "Tools of other packages.",
    });
  });
});
