import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, fromJsonSchema, s } from "../index.js";
import { compileSchema } from "./compile-schema.js";
import { isMultipleOf } from "./is-multiple-of.js";
import { schemaDialect } from "./schema-dialect.js";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const valid = (schema: object, value: unknown) => compileSchema(schema as never)(value).length === 0;

const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__");

describe("parameters named like members of Object.prototype", () => {
  it.each(PROTOTYPE_NAMES)("FA9 %s is a name like any other", (name) => {
    const schema = () => ({ type: "object", properties: { [name]: { type: "string" } } });
    expect(valid(schema(), {})).toBe(true);
    expect(valid(schema(), { [name]: "x" })).toBe(true);
    expect(valid(schema(), { [name]: 1 })).toBe(false);
    expect(valid({ type: "object", required: [name] }, {})).toBe(false);
    expect(valid({ type: "object", required: [name] }, { [name]: 1 })).toBe(true);
    expect(valid({ type: "object", additionalProperties: false }, { [name]: 1 })).toBe(false);
  });

  it("FA9 they reach a tool, can be required, and get their defaults", async () => {
    const Odd = defineTool({
      name: "odd",
      summary: "Odd names.",
      category: "read",
      permissions: ["ReadFiles"],
      input: fromJsonSchema<Record<string, unknown>>({
        type: "object",
        properties: { constructor: { type: "string" }, toString: { type: "integer", default: 7 } },
        required: ["constructor"],
        additionalProperties: false,
      }),
      output: s.object({ seen: s.string("What arrived") }),
      run: async (args) => ({ seen: JSON.stringify(args) }),
    });
    const runtime = createTestRuntime({ tools: [Odd] });
    expect(await runtime.call("odd", {})).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
    const result = await runtime.call("odd", { constructor: "c" });
    expect(result).toMatchObject({ ok: true });
    expect(JSON.parse((result as unknown as { value: { seen: string } }).value.seen)).toEqual({
      constructor: "c",
      toString: 7,
    });
  });
});

describe("drafts", () => {
  it("FA9 a draft-07 tuple checks each item by its position, with and without $schema", () => {
    const tuple = { type: "array", items: [{ type: "string" }, { type: "integer" }], additionalItems: false };
    for (const schema of [tuple, { $schema: DRAFT_07, ...tuple }]) {
      expect(valid(schema, ["a", 1])).toBe(true);
      expect(valid(schema, [1, "a"])).toBe(false);
      expect(valid(schema, ["a", 1, 2])).toBe(false);
    }
    const argument = {
      type: "object",
      properties: { range: { type: "array", items: [{ type: "integer" }] } },
    };
    expect([valid(argument, { range: [1, "x"] }), valid(argument, { range: ["x"] })]).toEqual([true, false]);
  });

  it("FA9 a 2020-12 tuple is prefixItems", () => {
    const tuple = { prefixItems: [{ type: "string" }], items: { type: "integer" } };
    expect([valid(tuple, ["a", 1]), valid(tuple, ["a", "b"]), valid(tuple, [1])]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("FA9 keywords beside $ref are ignored in draft-07 and apply in 2020-12", () => {
    const schema = {
      properties: { a: { $ref: "#/definitions/any", maxItems: 1 } },
      definitions: { any: {} },
    };
    expect(valid({ $schema: DRAFT_07, ...schema }, { a: [1, 2] })).toBe(true);
    expect(valid(schema, { a: [1, 2] })).toBe(false);
  });

  it("FA9 the draft is determined by $schema, then by keywords, never by data", () => {
    expect(schemaDialect({ $schema: DRAFT_07 })).toBe("draft-07");
    expect(schemaDialect({ $schema: "http://json-schema.org/draft-04/schema#" })).toBe("draft-07");
    expect(schemaDialect({ $schema: "https://json-schema.org/draft/2020-12/schema", items: [] })).toBe(
      "2020-12",
    );
    expect(schemaDialect({ properties: { a: { items: [{}] } } })).toBe("draft-07");
    expect(schemaDialect({ default: { items: [] }, enum: [{ items: [] }] })).toBe("2020-12");
  });
});

describe("names and keywords", () => {
  it("FA9 schemas with the same $id do not conflict, and anchors are resolved", () => {
    const named = (type: string) => ({
      $id: "https://x.example/a",
      $ref: "#part",
      $defs: { p: { $anchor: "part", type } },
    });
    expect([valid(named("string"), "x"), valid(named("integer"), "x")]).toEqual([true, false]);
  });

  it("FA9 const and enum compare values, not references", () => {
    expect([valid({ const: { a: [1] } }, { a: [1] }), valid({ const: { a: [1] } }, { a: [2] })]).toEqual([
      true,
      false,
    ]);
    expect([valid({ enum: [{ a: null }, 1] }, { a: null }), valid({ enum: [{ a: null }] }, {})]).toEqual([
      true,
      false,
    ]);
  });

  it("FA9 lengths count characters, and a format does not restrict", () => {
    expect([valid({ maxLength: 1 }, "😀"), valid({ minLength: 2 }, "😀")]).toEqual([true, false]);
    expect(valid({ type: "string", format: "email" }, "no email")).toBe(true);
  });

  it("FA9 unevaluatedProperties sees through allOf", () => {
    const schema = { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false };
    expect([valid(schema, { a: 1 }), valid(schema, { b: 1 })]).toEqual([true, false]);
  });

  it.each([
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [4.35, 0.01, true],
    [1e308, 0.123456789, false],
    [12_391_239_123, 1e-8, true],
    [0, 0.3, true],
    [-4.5, 1.5, true],
    [7, 2, false],
    [5e-324, 1e308, false],
  ])("FA9 %d is a multiple of %d: %s", (value, divisor, expected) => {
    expect(isMultipleOf(value, divisor)).toBe(expected);
    expect(valid({ multipleOf: divisor }, value)).toBe(expected);
  });
});
