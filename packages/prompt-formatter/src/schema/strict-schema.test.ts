import { type JsonSchema, s } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { portableSchema } from "./portable-schema.js";
import { strictSchema, stripNulls } from "./strict-schema.js";

const nested = s.object({
  path: s.path("A path"),
  limit: s.integer("How many", { default: 3, minimum: 1 }),
  mode: s.enum("Which", ["a", "b"], { default: "a" }),
  either: s.optional(s.anyOf("One or many", [s.string("One"), s.array("Many", s.string("Each"))])),
  edits: s.array(
    "Edits",
    s.object({ old: s.string("Old", { minLength: 1 }), all: s.boolean("All", { default: false }) }),
    { default: [] },
  ),
});

describe("portableSchema", () => {
  it("drops our path format and private keywords at every depth", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "x",
      type: "object",
      "x-own": 1,
      "~types": {},
      properties: { p: { type: "string", format: "workspace-path" }, d: { type: "string", format: "date" } },
      anyOf: [{ format: "workspace-path", type: "string" }, true],
      items: { format: "workspace-path" },
      additionalProperties: false,
    };
    expect(portableSchema(schema)).toEqual({
      type: "object",
      properties: { p: { type: "string" }, d: { type: "string", format: "date" } },
      anyOf: [{ type: "string" }, true],
      items: {},
      additionalProperties: false,
    });
  });

  it("does not change data that only looks like a schema", () => {
    const schema = { default: { format: "workspace-path", "x-a": 1 }, enum: [{ "~a": 1 }], properties: {} };
    expect(portableSchema(schema)).toEqual(schema);
  });

  it("keeps parameters of any name", () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"x-a":{"type":"string"},"format":{"type":"string"}}}',
    );
    expect(Object.keys(portableSchema(schema).properties as object)).toEqual(["__proto__", "x-a", "format"]);
  });
});

describe("strictSchema", () => {
  it("requires everything, makes optional values nullable, closes objects, drops unsupported keywords", () => {
    expect(strictSchema(nested)).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["path", "limit", "mode", "either", "edits"],
      properties: {
        path: { type: "string", description: "A path" },
        limit: { type: ["integer", "null"], description: "How many", minimum: 1 },
        mode: { type: ["string", "null"], description: "Which", enum: ["a", "b", null] },
        either: {
          description: "One or many",
          anyOf: [
            { type: "string", description: "One" },
            { type: "array", description: "Many", items: { type: "string", description: "Each" } },
            { type: "null" },
          ],
        },
        edits: {
          type: ["array", "null"],
          description: "Edits",
          items: {
            type: "object",
            additionalProperties: false,
            required: ["old", "all"],
            properties: {
              old: { type: "string", description: "Old" },
              all: { type: ["boolean", "null"], description: "All" },
            },
          },
        },
      },
    });
  });

  it.each<[string, JsonSchema]>([
    ["an open object", { type: "object", additionalProperties: { type: "string" }, properties: {} }],
    ["an object of unknown shape", { type: "object" }],
    ["free JSON below", s.object({ any: s.json("Anything") })],
    ["a combination", { type: "object", properties: { a: { allOf: [{ type: "string" }] } } }],
  ])("gives up on %s", (_name, schema) => {
    expect(strictSchema(schema)).toBeUndefined();
  });

  it("wraps schemas without a type or alternatives", () => {
    const schema = {
      type: "object",
      properties: { a: { enum: ["x"] }, b: { $ref: "#/$defs/b" } },
      required: ["c"],
    };
    const properties = strictSchema(schema)?.properties as Record<string, JsonSchema>;
    expect(properties.a).toEqual({ anyOf: [{ enum: ["x"] }, { type: "null" }] });
  });

  it("leaves nullable schemas unchanged", () => {
    const schema = { type: "object", properties: { a: { type: ["string", "null"] }, b: { type: "null" } } };
    expect(strictSchema(schema)?.properties).toEqual(schema.properties);
  });
});

describe("converting back", () => {
  it("removes nulls that stand for omitted values, at every depth", () => {
    const value = { path: "a", limit: null, either: null, edits: [{ old: "x", all: null }] };
    expect(stripNulls(value, nested)).toEqual({ path: "a", edits: [{ old: "x" }] });
  });

  it("keeps a null that the schema allows, and unknown values", () => {
    const schema = { properties: { a: { type: ["string", "null"] }, b: { enum: [1, null] }, c: {} } };
    const value = { a: null, b: null, c: null, unknown: null };
    expect(stripNulls(value, schema)).toEqual(value);
    expect(stripNulls(7, schema)).toBe(7);
    expect(stripNulls([null], {})).toEqual([null]);
  });

  it("a value that is valid in strict mode, once stripped, is valid for the tool", () => {
    const strict = compileSchema(strictSchema(nested) as JsonSchema);
    const own = compileSchema(nested);
    const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
    const written = fc.record({
      path: fc.string({ minLength: 1 }),
      limit: orNull(fc.integer({ min: 1, max: 9 })),
      mode: orNull(fc.constantFrom("a", "b")),
      either: orNull(fc.oneof(fc.string(), fc.array(fc.string()))),
      edits: orNull(fc.array(fc.record({ old: fc.string({ minLength: 1 }), all: orNull(fc.boolean()) }))),
    });
    fc.assert(
      fc.property(written, (value) => {
        expect(strict(structuredClone(value))).toEqual([]);
        expect(own(stripNulls(value, nested))).toEqual([]);
      }),
    );
  });
});
