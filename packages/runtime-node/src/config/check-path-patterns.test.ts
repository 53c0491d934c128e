import { describe, expect, it } from "vitest";
import { checkPathPatterns } from "./check-path-patterns.js";

describe("FE6 the path patterns of a configuration, which may be one that nobody trusts", () => {
  const bomb = Array.from({ length: 9_000 }, (_, index) => `${"{a,b}".repeat(9)}${index}`);

  it.each(["sensitive", "protected"])("%s: patterns that stand for millions are refused at once", (key) => {
    expect(() => checkPathPatterns({ [key]: bomb }, "/work")).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: `paths.${key} expands to more than 20000 patterns`,
      }),
    );
  });

  it("a thousand plain ones are not", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `secret-${index}/**`);
    expect(() => checkPathPatterns({ sensitive: many, protected: many }, "/work")).not.toThrow();
  });
});
