import { createTestRuntime, describeToolContract, MemoryWorkspace } from "@haft/testing";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineTool, ToolError, type TypedTool, token } from "../index.js";

function runtimeWith(...tools: readonly TypedTool[]) {
  return createTestRuntime({ tools, workspace: new MemoryWorkspace({ "a.json": '{"b":1,"a":2}' }) });
}

describe("FP1 a schema's own library validates the arguments", () => {
  it("zod: transforms, defaults, refinements and strictness run, and types match what arrives", async () => {
    const Book = defineTool({
      name: "book",
      summary: "Book a day.",
      permissions: [],
      approval: "auto",
      input: z
        .strictObject({
          day: z.string().transform((text) => new Date(text)),
          seats: z.number().default(1),
          from: z.number().default(0),
          to: z.number().default(10),
        })
        .refine(({ from, to }) => from < to, { message: "from must be below to", path: ["from"] }),
      run: async ({ day, seats }) => {
        expectTypeOf(day).toEqualTypeOf<Date>();
        expectTypeOf(seats).toEqualTypeOf<number>();
        return { year: day.getUTCFullYear(), seats };
      },
    });
    const runtime = runtimeWith(Book);
    const result = await runtime.call(Book, { day: "2026-11-18" });
    expect(result.ok && result.value).toEqual({ year: 2026, seats: 1 });
    if (result.ok) expectTypeOf(result.value).toEqualTypeOf<{ year: number; seats: number }>();
    expect(await runtime.call("book", { day: "2026-11-18", from: 9, to: 3 })).toMatchObject({
      ok: false,
      error: { code: "INVALID_ARGUMENTS", message: "from must be below to; got 9" },
    });
    expect(await runtime.call("book", { day: "2026-11-18", row: 4 })).toMatchObject({
      ok: false,
      error: {
        code: "INVALID_ARGUMENTS",
        message: '"row" is not a parameter of this tool. The parameters are day, seats, from, to',
      },
    });
    expect(await runtime.call("book", { day: 4 })).toMatchObject({
      error: { message: "day: Invalid input: expected string, received number; got 4" },
    });
    // @ts-expect-error the day is missing
    void (() => runtime.call(Book, {}));
  });

  it("zod: an asynchronous refinement is awaited", async () => {
    const Taken = defineTool({
      name: "taken",
      summary: "Take a name.",
      permissions: [],
      approval: "auto",
      input: z.object({ name: z.string().refine(async (name) => name !== "root", "is taken") }),
      run: async ({ name }) => name,
    });
    const runtime = runtimeWith(Taken);
    expect(await runtime.call(Taken, { name: "me" })).toMatchObject({ ok: true, value: "me" });
    expect(await runtime.call(Taken, { name: "root" })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message: 'name is taken; got "root"' },
    });
  });

  it("rejects a misspelt parameter even where the library would drop it; an open object stays open", async () => {
    const common = { summary: "Add.", permissions: [], approval: "auto" } as const;
    const Closed = defineTool({
      ...common,
      name: "closed",
      input: z.object({ first: z.number(), second: z.number().optional() }),
      run: async ({ first, second = 0 }) => first + second,
    });
    const Open = defineTool({
      ...common,
      name: "open",
      input: z.looseObject({ first: z.number() }),
      run: async (numbers) => Object.keys(numbers).length,
    });
    const runtime = runtimeWith(Closed, Open);
    expect(await runtime.call("closed", { first: 1, secnd: 2 })).toMatchObject({
      error: {
        code: "INVALID_ARGUMENTS",
        message: '"secnd" is not a parameter of this tool. Did you mean "second"?',
      },
    });
    expect(await runtime.call("open", { first: 1, other: 2 })).toMatchObject({ ok: true, value: 2 });
    const schemas = runtime.tools().map(({ input }) => input.additionalProperties);
    expect(schemas).toEqual([false, {}]);
  });

  it("valibot, through its JSON Schema package", async () => {
    const Half = defineTool({
      name: "half",
      summary: "Halve.",
      permissions: [],
      approval: "auto",
      input: toStandardJsonSchema(
        v.object({
          n: v.pipe(
            v.string(),
            v.transform(Number),
            v.check((n) => n % 2 === 0, "must be even"),
          ),
        }),
      ),
      run: async ({ n }) => {
        expectTypeOf(n).toEqualTypeOf<number>();
        return n / 2;
      },
    });
    const runtime = runtimeWith(Half);
    expect(await runtime.call(Half, { n: "4" })).toMatchObject({ ok: true, value: 2 });
    expect(await runtime.call(Half, { n: "3" })).toMatchObject({
      error: { message: 'n must be even; got "3"' },
    });
    const plain = v.object({ n: v.string() });
    expect(() =>
      defineTool({ name: "bare", summary: "No.", permissions: [], input: plain, run: async () => 1 }),
    ).toThrow("Install @valibot/to-json-schema and pass toStandardJsonSchema(schema)");
  });

  it("runs refinements and transforms that JSON Schema cannot express", async () => {
    const Trim = defineTool({
      name: "trim",
      summary: "Trim.",
      approval: "auto",
      input: toStandardJsonSchema(
        v.strictObject({
          word: v.pipe(
            v.string(),
            v.trim(),
            v.check((word) => word !== "", "must not be blank"),
          ),
          n: v.optional(v.number(), 7),
        }),
      ),
      run: async ({ word, n }) => `${word}${n}`,
    });
    const Year = defineTool({
      name: "year",
      summary: "Year.",
      approval: "auto",
      input: z.object({ when: z.coerce.date() }),
      run: async ({ when }) => when.getUTCFullYear(),
    });
    const runtime = runtimeWith(Trim, Year);
    expect(await runtime.call(Trim, { word: " a " })).toMatchObject({ ok: true, value: "a7" });
    expect(await runtime.call(Trim, { word: "  " })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message: 'word must not be blank; got "  "' },
    });
    expect(await runtime.call("trim", { word: "a", more: 1 })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(await runtime.call("year", { when: "2026-11-18" })).toMatchObject({ ok: true, value: 2026 });
    expect(await runtime.call("year", { when: "noon" })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(runtime.tools()[0]?.input).toMatchObject({ properties: { word: { type: "string" } } });
  });

  it("ArkType: constraints and morphs run", async () => {
    const Parse = defineTool({
      name: "parse_count",
      summary: "Parse.",
      permissions: [],
      approval: "auto",
      input: type({ count: "1 <= number.integer <= 5", "label?": "string" }),
      run: async ({ count, label }) => {
        expectTypeOf(count).toEqualTypeOf<number>();
        return { count, label: label ?? "none" };
      },
    });
    const runtime = runtimeWith(Parse);
    expect(await runtime.call(Parse, { count: 5 })).toMatchObject({
      ok: true,
      value: { count: 5, label: "none" },
    });
    expect(await runtime.call(Parse, { count: 6 })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", message: "count must be at most 5 (was 6); got 6" },
    });
  });

  it("TypeBox and plain JSON Schema are typed from their literals", async () => {
    const input = Type.Object({ n: Type.Integer({ minimum: 1 }), unit: Type.Optional(Type.String()) });
    const Box = defineTool({
      name: "box",
      summary: "Box.",
      permissions: [],
      approval: "auto",
      input,
      run: async ({ n, unit }) => {
        expectTypeOf(n).toEqualTypeOf<number>();
        expectTypeOf(unit).toEqualTypeOf<string | undefined>();
        return `${n}${unit ?? ""}`;
      },
    });
    const Plain = defineTool({
      name: "plain_json",
      summary: "Plain.",
      permissions: [],
      approval: "auto",
      input: {
        type: "object",
        properties: {
          mode: { enum: ["fast", "slow"] },
          tags: { type: "array", items: { type: "string" } },
          limit: { type: "integer", default: 3 },
        },
        required: ["mode"],
        additionalProperties: false,
      },
      run: async ({ mode, tags, limit }) => {
        expectTypeOf(mode).toEqualTypeOf<"fast" | "slow">();
        expectTypeOf(tags).toEqualTypeOf<string[] | undefined>();
        expectTypeOf(limit).toEqualTypeOf<number>();
        return { mode, limit };
      },
    });
    const runtime = runtimeWith(Box, Plain);
    expect(await runtime.call(Box, { n: 2, unit: "kg" })).toMatchObject({ ok: true, value: "2kg" });
    expect(await runtime.call(Box, { n: 0 })).toMatchObject({ error: { code: "INVALID_ARGUMENTS" } });
    expect(await runtime.call(Plain, { mode: "slow" })).toMatchObject({ value: { mode: "slow", limit: 3 } });
    // @ts-expect-error the mode is one of two
    void (() => runtime.call(Plain, { mode: "quick" }));
  });

  it("the output schema's library validates and transforms the value", async () => {
    const Stamp = defineTool({
      name: "stamp",
      summary: "Stamp.",
      permissions: [],
      approval: "auto",
      input: z.object({ ok: z.boolean() }),
      output: z.object({ at: z.string().transform((text) => text.toUpperCase()) }),
      run: async ({ ok }) => (ok ? { at: "noon" } : ({ at: 12 } as never)),
    });
    const runtime = runtimeWith(Stamp);
    expect(await runtime.call(Stamp, { ok: true })).toMatchObject({ value: { at: "NOON" } });
    expect(await runtime.call(Stamp, { ok: false })).toMatchObject({
      error: { code: "INTERNAL", message: expect.stringContaining("does not match its output schema") },
    });
  });
});

describe("FP2 a call by tool is typed by the tool", () => {
  it("in every dialect, with canonical names", async () => {
    const Echo = defineTool({
      name: "echo_path",
      summary: "Echo.",
      permissions: [],
      approval: "auto",
      input: z.object({ file_path: z.string() }),
      run: async ({ file_path }) => ({ file_path }),
    });
    const runtime = createTestRuntime({ tools: [Echo], dialect: "camel" });
    const result = await runtime.call(Echo, { file_path: "a" });
    expect(result).toMatchObject({ ok: true, value: { file_path: "a" } });
    if (!result.ok) expectTypeOf(result.error.code).toEqualTypeOf<string>();
    else expectTypeOf(result.value).toEqualTypeOf<{ file_path: string }>();
  });
});

describe("FP3 defineTool", () => {
  const CLOCK = token<{ now(): number }>("define-tool.clock", () => ({ now: () => 42 }));

  it("injects services after the context", async () => {
    const Now = defineTool({
      name: "now",
      summary: "Tell the time.",
      permissions: [],
      approval: "auto",
      inject: [CLOCK],
      input: z.object({}),
      run: async (_args, _context, clock) => {
        expectTypeOf(clock).toEqualTypeOf<{ now(): number }>();
        return clock.now();
      },
    });
    expect(await runtimeWith(Now).call(Now, {})).toMatchObject({ ok: true, value: 42 });
  });

  it("FP3 takes a function that returns its value at once", async () => {
    const Upper = defineTool({
      name: "upper",
      summary: "Write a text in capitals.",
      input: z.object({ text: z.string() }),
      output: z.object({ upper: z.string() }),
      run: ({ text }) => ({ upper: text.toUpperCase() }),
    });
    const Length = defineTool({
      name: "length_at_once",
      summary: "Count letters.",
      input: z.object({ text: z.string() }),
      run: ({ text }) => {
        if (text === "") throw new ToolError("EMPTY_TEXT", "the text is empty");
        return text.length;
      },
    });
    const runtime = runtimeWith(Upper, Length);
    const upper = await runtime.call(Upper, { text: "a" });
    if (upper.ok) expectTypeOf(upper.value).toEqualTypeOf<{ upper: string }>();
    expect(upper).toMatchObject({ ok: true, value: { upper: "A" } });
    const length = await runtime.call(Length, { text: "abc" });
    if (length.ok) expectTypeOf(length.value).toEqualTypeOf<number>();
    expect(length).toMatchObject({ ok: true, value: 3 });
    expect(await runtime.call(Length, { text: "" })).toMatchObject({
      ok: false,
      error: { code: "EMPTY_TEXT" },
    });
  });

  it("FP3 a value that is not JSON is an error of the tool, although it declares no output", async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const value of [circle, { n: 1n }]) {
      const Odd = defineTool({
        name: "odd",
        summary: "Odd.",
        input: { type: "object" },
        run: async () => value,
      });
      const result = await createTestRuntime({ tools: [Odd] }).call("odd");
      expect(result).toMatchObject({ ok: false, error: { code: "INTERNAL" } });
      expect(result.text).toContain("cannot be written as JSON");
    }
  });

  it("needs no output and no category; a call that returns nothing reports its changes", async () => {
    const SortKeys = defineTool({
      name: "sort_keys",
      summary: "Sort the keys of a JSON file.",
      permissions: ["ReadFiles", "WriteFiles"],
      approval: "auto",
      input: z.object({ path: z.string() }),
      async run({ path }, { workspace }) {
        const data = JSON.parse(await workspace.readText(path));
        await workspace.writeText(path, JSON.stringify(data, Object.keys(data).sort()));
      },
    });
    const runtime = createTestRuntime({
      tools: [SortKeys],
      workspace: new MemoryWorkspace({ "a.json": '{"b":1,"a":2}' }),
      readBeforeWrite: "off",
    });
    expect(runtime.tools()[0]).toMatchObject({ category: "write" });
    const result = await runtime.call(SortKeys, { path: "a.json" });
    expect(result).toMatchObject({ ok: true, text: "Done. Modified a.json." });
  });
});

const measured = {
  summary: "Count the letters of a text.",
  run: async ({ text }: { text: string }) => text.length,
};
const options = { args: { text: "abc" } };
const LengthByZod = defineTool({
  ...measured,
  name: "length_by_zod",
  input: z.object({ text: z.string().describe("Text") }),
});
const LengthByValibot = defineTool({
  ...measured,
  name: "length_by_valibot",
  input: toStandardJsonSchema(v.object({ text: v.pipe(v.string(), v.description("Text")) })),
});
const LengthByArkType = defineTool({
  ...measured,
  name: "length_by_arktype",
  input: type({ text: type("string").describe("Text") }),
});
for (const Tool of [LengthByZod, LengthByValibot, LengthByArkType]) describeToolContract(Tool, options);

describe("FP1 an input that no call can satisfy is rejected when the tool is defined", () => {
  it.each([
    ["JSON Schema", { type: "string" } as const, "string"],
    ["a list", { type: "array" } as const, "array"],
    ["zod", z.string(), "string"],
    ["typebox", Type.Number(), "number"],
  ])("%s", (_what, input, type) => {
    const define = () =>
      defineTool({ name: "shout", summary: "Shout.", input: input as never, run: async () => 1 });
    expect(define).toThrow(
      `the input of shout is wrong: it accepts "${type}", but the arguments of a call are an object.`,
    );
  });

  it("accepts unions and schemas without a type", () => {
    for (const input of [{}, { type: ["object", "null"] }, { anyOf: [{ type: "object" }] }])
      expect(
        defineTool({ name: "any", summary: "Anything.", input: input as never, run: async () => 1 }),
      ).toBeDefined();
  });
});
