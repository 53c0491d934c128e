import type { JsonSchema } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { foreignSchema } from "./foreign-schema.js";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const problems = (schema: JsonSchema, value: unknown) => compileSchema(schema)(value).length;

/** A schema that doubles the work with each step. */
function chain(steps: number, keyword: string) {
  const $defs: Record<string, unknown> = { [`d${steps}`]: { type: "null" } };
  for (let step = 0; step < steps; step += 1) {
    const next = { $ref: `#/$defs/d${step + 1}` };
    $defs[`d${step}`] = { [keyword]: [next, next] };
  }
  return object({ q: { $ref: "#/$defs/d0" } }, { $defs });
}

describe("foreignSchema", () => {
  it.each(["anyOf", "oneOf", "allOf"])("rejects exponential growth: %s", (keyword) => {
    expect(() => foreignSchema(chain(10, keyword))).toThrow("too large");
    expect(() => foreignSchema(chain(22, keyword))).toThrow("too deep");
  });

  it("rejects a large part with many references to it", () => {
    const $defs = { Large: { enum: Array.from({ length: 900 }, (_, index) => `value ${index}`) } };
    const properties = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, { $ref: "#/$defs/Large" }]),
      );
    expect(() => foreignSchema(object(properties(900), { $defs }))).toThrow("too large");
    expect(problems(foreignSchema(object(properties(3), { $defs })), { p0: "value 7" })).toBe(0);
  });

  it.each<[string, (size: number) => object]>([
    ["alternatives", (size) => ({ anyOf: Array.from({ length: size }, () => ({ type: "null" })) })],
    [
      "names",
      (size) => ({ type: "object", required: Array.from({ length: size }, (_, index) => `n${index}`) }),
    ],
  ])("what is checked for each item of a list is little: %s", (_what, items) => {
    const list = (size: number) => object({ q: { type: "array", items: items(size) } });
    expect(() => foreignSchema(list(400))).toThrow("too large");
    const map = object({ q: { type: "object", additionalProperties: items(400) } });
    expect(() => foreignSchema(map)).toThrow("too large");
    expect(() => foreignSchema(object({ q: items(400) }))).not.toThrow();
    const usedMs = measureProcessorTime();
    expect(
      problems(foreignSchema(list(250)), { q: Array.from({ length: 500 }, () => ({})) }),
    ).toBeGreaterThan(0);
    expect(usedMs()).toBeLessThan(10_000);
  });

  it.each([
    ["a reference to nowhere", { $ref: "#/nowhere" }],
    ["a reference to elsewhere", { $ref: "http://127.0.0.1:1/x" }],
    ["a reference to what every object inherits", { $ref: "#/constructor" }],
    ["a type that is none", { type: "wat" }],
    ["no schema", 1],
    ["alternatives that are none", { anyOf: {} }],
    ["properties that are none", { properties: [] }],
    ["a name that acts on a terminal", object({ "a\u001b[2J": {} })],
  ])("refuses %s", (_what, property) => {
    expect(() => foreignSchema(object({ a: property }))).toThrow(/^its input schema (has|contains)/);
  });

  it("inlines references", () => {
    const $defs = { Name: { type: "string", minLength: 2 } };
    const schema = foreignSchema(object({ a: { $ref: "#/$defs/Name", description: "Who." } }, { $defs }));
    expect(schema).toEqual(object({ a: { type: "string", minLength: 2, description: "Who." } }));
    const limited = foreignSchema(object({ a: { $ref: "#/$defs/Name", maxLength: 3 } }, { $defs }));
    expect([problems(limited, { a: "x" }), problems(limited, { a: "xxxx" })]).toEqual([1, 1]);
    expect(problems(limited, { a: "xxx" })).toBe(0);
  });

  it("keeps the first level of a recursive schema", () => {
    const $defs = { Node: object({ next: { $ref: "#/$defs/Node" }, name: { type: "string" } }) };
    const schema = foreignSchema({ $ref: "#/$defs/Node", $defs });
    expect(problems(schema, { next: { next: { name: 1 } }, name: "x" })).toBe(0);
    expect(problems(schema, { name: 1 })).toBe(1);
  });

  it.each<[string, object, unknown]>([
    ["two alternatives that a pattern told apart", { oneOf: [{ pattern: "^a" }, { pattern: "^b" }] }, "a"],
    [
      "a name that a pattern allowed",
      { patternProperties: { "^x-": {} }, additionalProperties: false },
      { "x-a": 1 },
    ],
    ["a value that cannot be shown", { enum: ["a\u001b"] }, "a\u001b"],
    ["the limits of older drafts", { type: "number", minimum: 1, exclusiveMinimum: true, required: true }, 2],
    ["items one by one", { type: "array", items: [{ type: "string" }] }, ["x", 1]],
    ["what is null or something", { anyOf: [{ type: "string" }, { type: "null" }] }, null],
  ])("does not refuse for what was left out: %s", (_what, property, value) => {
    expect(problems(foreignSchema(object({ a: property })), { a: value })).toBe(0);
  });

  it("validates with the remaining keywords", () => {
    const schema = foreignSchema(
      object(
        {
          a: { enum: ["x"] },
          n: { type: "integer", maximum: 3 },
          l: { type: "array", items: { type: "boolean" } },
        },
        { required: ["a"], additionalProperties: false },
      ),
    );
    expect(problems(schema, { a: "x", n: 3, l: [true] })).toBe(0);
    for (const wrong of [{}, { a: "y" }, { a: "x", n: 4 }, { a: "x", l: [1] }, { a: "x", b: 1 }]) {
      expect(problems(schema, wrong), JSON.stringify(wrong)).toBe(1);
    }
  });
});
