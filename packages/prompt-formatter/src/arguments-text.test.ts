import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsText } from "./arguments-text.js";

describe("arguments that a person can view and edit", () => {
  it("law: no arguments control a terminal, and they parse to the same value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: "binary" })), (args) => {
        const text = argumentsText({ args }, { indent: 0 });
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(args)));
      }),
    );
  });

  it("is split into lines unless it must be one", () => {
    expect(argumentsText({ args: { a: "\u001b[2J" } })).toBe('{\n  "a": "\\u001b[2J"\n}');
    expect(argumentsText({ args: { a: "\u202e" } }, { indent: 0 })).toBe('{"a":"\\u202e"}');
  });
});
