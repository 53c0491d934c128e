import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptPlainly } from "./accept-plainly.js";
import { compileSchema } from "./compile-schema.js";
import type { JsonSchema } from "./schema.js";
import { s } from "./schema-builder.js";

const ajv = new Ajv2020({ strict: false, allErrors: true, useDefaults: true, validateFormats: false });

const key = fc.constantFrom("a", "b", "c", "constructor");
const size = fc.integer({ min: 0, max: 4 });

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.record({ type: fc.constant("string"), minLength: size, maxLength: size }, { requiredKeys: ["type"] }),
    fc.record(
      { type: fc.constant("string"), enum: fc.constant(["x", "yy"]), default: fc.constantFrom("x", "z") },
      { requiredKeys: ["type", "enum"] },
    ),
    fc.record(
      {
        type: fc.constantFrom("integer", "number"),
        minimum: size,
        maximum: size,
        default: fc.integer({ max: 4 }),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      { type: fc.constantFrom("boolean", "null", "string"), default: fc.constantFrom(true, "t") },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      {
        type: fc.constant("array"),
        items: tie("schema"),
        minItems: size,
        maxItems: size,
        default: fc.constant([]),
      },
      { requiredKeys: ["type", "items"] },
    ),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(key, tie("schema"), { noNullPrototype: true }),
        required: fc.uniqueArray(key),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        default: fc.constant({}),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.constantFrom<JsonSchema>(
      {},
      { description: "any" },
      { const: 1 },
      { type: "string", pattern: "^x" },
      { minLength: 3 },
      { not: {} },
    ),
  ) as fc.Arbitrary<JsonSchema>,
}));

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(
      "x",
      "yy",
      "",
      "💡",
      "💡💡💡",
      true,
      false,
      null,
      0,
      1,
      2.5,
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { noNullPrototype: true }),
  ),
}));

/** Values that are likely to be valid, and arbitrary ones. */
function valueFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, properties, items, anyOf } = schema as {
    type?: string;
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
  };
  if (anyOf?.[0]) return fc.oneof(valueFor(anyOf[0]), value);
  if (type === "object")
    return fc.record(
      Object.fromEntries(Object.entries(properties ?? {}).map(([name, each]) => [name, valueFor(each)])),
      { requiredKeys: [], noNullPrototype: true },
    );
  if (type === "array" && items) return fc.array(valueFor(items), { maxLength: 3 });
  return value;
}

/** A copy without inherited members: ajv treats `constructor` of any other object as a given member. */
function withoutPrototypes(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(withoutPrototypes);
  if (typeof given !== "object" || given === null) return given;
  const members = Object.entries(given).map(([name, member]) => [name, withoutPrototypes(member)]);
  return Object.assign(Object.create(null), Object.fromEntries(members));
}

describe("accepting values without the compiler", () => {
  it("accepts only values that the validator accepts, and applies the same defaults", () => {
    let accepted = 0;
    const pairs = schema.chain((each) => fc.tuple(fc.constant(each), valueFor(each)));
    fc.assert(
      fc.property(pairs, ([each, given]) => {
        const [mine, theirs] = [structuredClone(given), withoutPrototypes(given)];
        if (!acceptPlainly(each, mine)) {
          expect(mine).toEqual(given);
          return;
        }
        accepted++;
        expect(ajv.validate(each, theirs)).toBe(true);
        expect(mine).toEqual(theirs);
      }),
      { numRuns: Number(process.env.HAFT_SCHEMA_ROUNDS ?? 1500) },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it("FA9 fills in the default of a parameter named like an inherited member, before and after compilation", () => {
    const list = { type: "array", default: [] };
    const validate = compileSchema({ type: "object", properties: { constructor: list, toString: list } });
    for (let use = 0; use < 6; use++) {
      const given = {};
      expect(validate(given)).toEqual([]);
      expect(Object.entries(given)).toEqual([
        ["constructor", []],
        ["toString", []],
      ]);
    }
  });

  it("accepts a usual call, and copies its defaults", () => {
    const input = s.object({ path: s.path("p"), list: s.array("l", s.string("x"), { default: [] }) });
    const [first, second] = [{ path: "a" }, { path: "b" }] as { path: string; list?: string[] }[];
    expect(acceptPlainly(input, first) && acceptPlainly(input, second)).toBe(true);
    first?.list?.push("mine");
    expect(second).toEqual({ path: "b", list: [] });
  });

  it("leaves every complaint to the validator, before and after compilation", () => {
    const validate = compileSchema(s.object({ count: s.integer("n", { minimum: 1, default: 2 }) }));
    for (let use = 0; use < 6; use++) {
      expect(validate({ count: 0 }).map(({ pointer, keyword }) => [pointer, keyword])).toEqual([
        ["/count", "minimum"],
      ]);
      const given = {};
      expect(validate(given)).toEqual([]);
      expect(given).toEqual({ count: 2 });
    }
  });
});
