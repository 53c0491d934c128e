import { createTestRuntime } from "@haft/testing";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { configSection, defineTool, type TypedTool } from "../index.js";

const define = (input: unknown) =>
  defineTool({ name: "odd", summary: "Odd.", input: input as never, run: async () => 1 }) as TypedTool;

const call = (tool: TypedTool, args: unknown) =>
  createTestRuntime({ tools: [tool] }).call(tool.definition.name, args);

async function messageOf(tool: TypedTool, args: unknown): Promise<string | undefined> {
  const result = await call(tool, args);
  return result.ok ? undefined : result.error.message;
}

describe("FP1 a schema that could not be enforced as written is rejected when the tool is defined", () => {
  it.each([
    ["nothing", undefined, "it is missing"],
    ["null", null, "it must be a schema"],
    ["a text", "object", "it must be a schema"],
    ["a function", () => ({}), "it must be a schema"],
    ["members without an object", { path: z.string() }, "Wrap it: z.object({ path: … })"],
    [
      "a schema that cannot validate",
      { "~standard": { vendor: "acme", jsonSchema: {} } },
      "and cannot validate",
    ],
    ["a type that JSON lacks", Type.Object({ big: Type.BigInt() }), '"big" has the type "bigint"'],
    ["a misspelled type", { type: "object", properties: { a: { type: "str" } } }, 'Did you mean "string"?'],
    [
      "a codec of TypeBox",
      Type.Object({ day: Type.Decode(Type.String(), (text) => new Date(text)) }),
      '"day" has a codec of TypeBox, which would not be run',
    ],
    [
      "zod/mini by itself",
      mini.object({ n: mini.number() }),
      'pass its toJSONSchema(schema, { io: "input" })',
    ],
  ])("%s", (_what, input, words) => {
    expect(() => define(input)).toThrow("the input of odd ");
    expect(() => define(input)).toThrow(words);
    expect(() => define(input)).toThrow(/[^.?][.?]$/);
  });

  it("an output and a section of the configuration are rejected in the same way", () => {
    const odd = {
      name: "odd",
      summary: "Odd.",
      input: {},
      output: { total: z.number() },
      run: async () => 1,
    };
    const Odd = () => defineTool(odd as never);
    expect(Odd).toThrow("the output of odd is wrong");
    expect(() => configSection("acme", { key: z.string() } as never)).toThrow("the section acme is wrong");
  });

  it("accepts a parameter named type, and data that looks like a schema", () => {
    const properties = { type: { type: "string" }, a: { enum: [{ type: "str" }], default: { type: "str" } } };
    expect(define({ type: "object", properties })).toBeDefined();
  });
});

describe("FP1 a schema is enforced as written", () => {
  it("TypeBox: refinements run, nested and in alternatives", async () => {
    const Even = Type.Refine(
      Type.Number(),
      (n) => n % 2 === 0,
      () => "must be even",
    );
    const Tool = define(
      Type.Object({ n: Even, list: Type.Optional(Type.Array(Type.Union([Even, Type.Null()]))) }),
    );
    expect(await call(Tool, { n: 4, list: [2, null] })).toMatchObject({ ok: true });
    expect(await messageOf(Tool, { n: 3 })).toBe("n must be even; got 3");
    expect(await messageOf(Tool, { n: 2, list: [3] })).toContain("list.0 must be even; got 3");
    const Whole = define(
      Type.Refine(
        Type.Object({ from: Type.Number(), to: Type.Number() }),
        ({ from, to }) => from < to,
        () => "from must be below to",
      ),
    );
    expect(await messageOf(Whole, { from: 2, to: 1 })).toBe("from must be below to");
  });

  it("TypeBox: records, tuples and intersections are typed by their literals", () => {
    const Box = defineTool({
      name: "box",
      summary: "Box.",
      input: Type.Intersect([
        Type.Object({ counts: Type.Record(Type.String(), Type.Number()) }),
        Type.Object({ pair: Type.Tuple([Type.String(), Type.Number()]) }),
      ]),
      run: async ({ counts, pair }) => {
        expectTypeOf(counts).toEqualTypeOf<Record<string, number>>();
        expectTypeOf(pair).toEqualTypeOf<[string, number]>();
        return `${pair[0]}${(counts.a ?? 0) + pair[1]}`;
      },
    });
    const Node = Type.Object({ name: Type.String(), kids: Type.Array(Type.Ref("Node")) });
    const Tree = defineTool({
      name: "tree",
      summary: "Tree.",
      input: Type.Cyclic({ Node }, "Node"),
      run: async () => 1,
    });
    return Promise.all([
      expect(call(Box, { counts: { a: 1 }, pair: ["x", 2] })).resolves.toMatchObject({ value: "x3" }),
      expect(messageOf(Tree, { name: "a", kids: [{ name: 1, kids: [] }] })).resolves.toContain("kids.0.name"),
    ]);
  });

  it("literals are listed, whichever keyword holds them", async () => {
    const unit = Type.Union([Type.Literal("kg"), Type.Literal("g")]);
    const Tool = define(Type.Object({ unit, v: Type.Optional(Type.Literal(2)) }));
    expect(await messageOf(Tool, { unit: "lb" })).toBe('unit must be one of "kg", "g"; got "lb"');
    expect(await messageOf(Tool, { unit: "g", v: 3 })).toBe("v must be 2; got 3");
  });

  it("refuses a misspelt parameter in alternatives too, unless one of them is open", async () => {
    const add = { op: z.literal("add"), amount: z.number() };
    const remove = { op: z.literal("remove"), id: z.string().optional() };
    const Closed = define(z.discriminatedUnion("op", [z.object(add), z.object(remove)]));
    expect(await call(Closed, { op: "add", amount: 1 })).toMatchObject({ ok: true });
    expect(await messageOf(Closed, { op: "remove", idd: "x" })).toBe(
      '"idd" is not a parameter of this tool. Did you mean "id"?',
    );
    const Open = define(z.discriminatedUnion("op", [z.object(add), z.looseObject(remove)]));
    expect(await call(Open, { op: "remove", idd: "x" })).toMatchObject({ ok: true });
    const Both = define(
      toStandardJsonSchema(v.union([v.object({ a: v.string() }), v.object({ b: v.number() })])),
    );
    expect(await messageOf(Both, { a: "x", c: 1 })).toContain('"c" is not a parameter of this tool');
  });

  it("a problem of the whole arguments names no parameter", async () => {
    const Named = define(
      type({ name: "string" }).narrow((it, ctx) => it.name !== "root" || ctx.mustBe("free")),
    );
    expect(await messageOf(Named, { name: "root" })).toMatch(/^must be free/);
  });

  it("zod/mini: transforms, defaults and refinements run through its JSON Schema", async () => {
    const Mini = defineTool({
      name: "mini",
      summary: "Mini.",
      input: mini.toJSONSchema(
        mini.object({
          n: mini._default(mini.number().check(mini.positive()), 3),
          day: mini.pipe(
            mini.string(),
            mini.transform((text: string) => new Date(text)),
          ),
        }),
        { io: "input" },
      ),
      run: async ({ n, day }) => {
        expectTypeOf(n).toEqualTypeOf<number>();
        expectTypeOf(day).toEqualTypeOf<Date>();
        return { n, year: day.getUTCFullYear() };
      },
    });
    expect(await call(Mini, { day: "2026-11-18" })).toMatchObject({ value: { n: 3, year: 2026 } });
    expect(await messageOf(Mini, { day: "2026-11-18", n: -1 })).toContain("expected number to be >0");
  });
});
