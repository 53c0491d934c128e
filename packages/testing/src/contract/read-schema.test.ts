import { describe, expect, it } from "vitest";
import { provenValidator } from "./read-schema.js";

describe("provenValidator", () => {
  it.each([
    { type: "object", properties: { a: { $ref: "#/nowhere" } } },
    { type: "object", properties: { a: { type: "wat" } } },
  ])("throws before any call: %j", (schema) => {
    expect(() => provenValidator(schema)).toThrow();
  });

  it("returns the validator of a Standard Schema", () => {
    const validate = provenValidator({ type: "object", properties: { a: { type: "string" } } });
    expect([validate({ a: "x" }).length, validate({ a: 1 }).length]).toEqual([0, 1]);
  });
});
