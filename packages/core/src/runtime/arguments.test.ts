import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../../tooling/testing/processor-time.js";
import { defineTool, s } from "../index.js";
import { parseJson } from "../kernel.js";

const Find = defineTool({
  name: "find",
  summary: "Find.",
  category: "search",
  permissions: [],
  aliases: { pattern: ["query", "regex"], max_results: ["head_limit"] },
  input: s.object({
    pattern: s.string("What to find", { minLength: 1, maxLength: 200_000 }),
    max_results: s.integer("At most", { default: 50, minimum: 1 }),
    case_sensitive: s.boolean("Mind the case", { default: false }),
    weight: s.optional(s.number("Weight")),
    exclude: s.optional(s.array("Leave out", s.string("Glob"), { maxItems: 3 })),
    mode: s.enum("Mode", ["content", "count"], { default: "content" }),
    edits: s.optional(
      s.array("Edits", s.object({ old_text: s.string("Old"), times: s.integer("Times", { default: 1 }) })),
    ),
    extra: s.optional(s.record("Anything by name", s.string("Value"))),
    either: s.optional(s.anyOf("One or many", [s.string("One"), s.array("Many", s.string("Each"))])),
    nothing: s.optional(s.json("Anything")),
  }),
  output: s.object({ args: s.json("What it got") }),
  examples: [{ when: "all", args: { pattern: "x" } }],
  run: async (args) => ({ args }),
});

const runtime = createTestRuntime({ tools: [Find] });
const call = (args: unknown) => runtime.call("find", args);

async function got(args: unknown): Promise<Record<string, unknown>> {
  const result = await call(args);
  if (!result.ok) throw new Error(result.text);
  return (result.value as { args: Record<string, unknown> }).args;
}

describe("arguments that a tool receives", () => {
  it("have their defaults filled in and are deeply frozen", async () => {
    const args = await got({ pattern: "x", edits: [{ old_text: "a" }] });
    expect(args).toEqual({
      pattern: "x",
      max_results: 50,
      case_sensitive: false,
      mode: "content",
      edits: [{ old_text: "a", times: 1 }],
    });
    expect(
      Object.isFrozen(args) && Object.isFrozen(args.edits) && Object.isFrozen((args.edits as object[])[0]),
    ).toBe(true);
  });

  it("are a copy: the caller's own object is neither kept nor changed", async () => {
    const mine = { pattern: "x", exclude: ["a"] };
    const args = await got(mine);
    expect(args.exclude).not.toBe(mine.exclude);
    expect(mine).toEqual({ pattern: "x", exclude: ["a"] });
  });

  it.each([
    ["an alias", { query: "x" }, { pattern: "x" }],
    ["another alias", { pattern: "x", headLimit: 3 }, { max_results: 3 }],
    ["camelCase", { pattern: "x", maxResults: 3 }, { max_results: 3 }],
    ["kebab-case", { pattern: "x", "max-results": 3 }, { max_results: 3 }],
    ["Capitals", { Pattern: "x" }, { pattern: "x" }],
    ["text for a number", { pattern: "x", max_results: "7" }, { max_results: 7 }],
    ["a negative fraction as text", { pattern: "x", weight: "-1.5" }, { weight: -1.5 }],
    ["text for a boolean", { pattern: "x", case_sensitive: "true" }, { case_sensitive: true }],
    ["false as text", { pattern: "x", case_sensitive: "false" }, { case_sensitive: false }],
    ["one for a list of one", { pattern: "x", exclude: "a" }, { exclude: ["a"] }],
    ["JSON text for a list", { pattern: "x", exclude: '["a", "b"]' }, { exclude: ["a", "b"] }],
    [
      "JSON text for objects",
      { pattern: "x", edits: '[{"old_text":"a","times":"2"}]' },
      { edits: [{ old_text: "a", times: 2 }] },
    ],
    ["null for left out", { pattern: "x", max_results: null, exclude: null }, { max_results: 50 }],
    ["a string that looks like JSON where text is wanted", { pattern: "[a]" }, { pattern: "[a]" }],
    ["one of two kinds", { pattern: "x", either: "a" }, { either: "a" }],
    ["the other of two kinds", { pattern: "x", either: ["a"] }, { either: ["a"] }],
    ["null where anything goes", { pattern: "x", nothing: null }, { nothing: null }],
    ["the arguments as JSON text", '{"pattern":"x"}', { pattern: "x" }],
    ["keys that are not declared, in a record", { pattern: "x", extra: { a: "b" } }, { extra: { a: "b" } }],
  ])("%s", async (_title, args, expected) => {
    expect(await got(args)).toMatchObject(expected);
  });

  it("prefer a declared name over another spelling of it, which is then unknown", async () => {
    const result = await call({ pattern: "x", max_results: 1, maxResults: 2 });
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
    expect(result.text).toContain('"maxResults" is not a parameter');
  });
});

describe("rejected arguments", () => {
  it.each([
    ["nothing at all", undefined, '"pattern" is required: What to find'],
    ["a missing parameter", {}, '"pattern" is required'],
    ["a wrong type", { pattern: 1 }, "pattern must be string; got 1"],
    ["a value out of range", { pattern: "x", max_results: 0 }, "max_results must be >= 1; got 0"],
    ["a fraction for a whole number", { pattern: "x", max_results: "1.5" }, "max_results must be integer"],
    [
      "a value that is not offered",
      { pattern: "x", mode: "all" },
      'mode must be one of "content", "count"; got "all"',
    ],
    ["too many", { pattern: "x", exclude: ["1", "2", "3", "4"] }, "exclude must NOT have more than 3 items"],
    [
      "a wrong type deep down",
      { pattern: "x", edits: [{ old_text: 5 }] },
      "edits.0.old_text must be string; got 5",
    ],
    ["something missing deep down", { pattern: "x", edits: [{}] }, '"edits.0.old_text" is required'],
    [
      "an unknown key deep down",
      { pattern: "x", edits: [{ old_text: "a", tims: 2 }] },
      '"tims" is not a parameter of edits.0. Did you mean "times"?',
    ],
    ["an object for a list", { pattern: "x", exclude: { a: 1 } }, "exclude must be array"],
    ["a list", [], "must be one JSON object"],
    ["a number", 5, "must be one JSON object"],
    ["text that is no JSON", "{pattern}", "not JSON"],
    ["JSON that is no object", '"x"', "must be one JSON object"],
  ])("%s", async (_title, args, message) => {
    const result = await call(args);
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
    expect(result.text).toContain(message);
  });

  it("an unknown key: the nearest name, an example, and the ready call", async () => {
    const dropped = await call({ pattern: "x", zzz: 1 });
    expect(dropped.text).toContain('"zzz" is not a parameter of this tool. The parameters are pattern, ');
    expect(dropped).toMatchObject({ error: { next: { tool: "find", args: { pattern: "x" } } } });
    expect(dropped).toMatchObject({ error: { hint: 'For example: {"pattern":"x"}' } });
    const renamed = await call({ patern: "x", case_sensitve: true });
    expect(renamed.text).toContain('Did you mean "pattern"?');
    expect(renamed).toMatchObject({ error: { next: { args: { pattern: "x", case_sensitive: true } } } });
    const hopeless = await call({ zzz: 1 });
    expect(hopeless.ok === false && hopeless.error.next).toBeUndefined();
    const deep = await call({ pattern: "x", edits: [{ old_text: "a", zzz: 2 }] });
    expect(deep.ok === false && deep.error.next).toBeUndefined();
  });

  it("parseJson describes invalid JSON", () => {
    expect(parseJson("[1]")).toEqual([1]);
    expect(() => parseJson("[1")).toThrow(/not JSON/);
    expect(() => parseJson("x".repeat(33 * 1024 * 1024))).toThrow(/too large/);
  });
});

describe("hostile arguments", () => {
  const nested = (levels: number): unknown => {
    let value: unknown = "x";
    for (let level = 0; level < levels; level += 1) value = { a: value };
    return value;
  };
  const cycle: Record<string, unknown> = { pattern: "x" };
  cycle.nothing = cycle;
  const deepText = JSON.stringify(nested(100));

  it.each([
    ["__proto__ in JSON text", '{"pattern":"x","__proto__":{"polluted":true}}'],
    ["__proto__ deep down", '{"pattern":"x","nothing":{"__proto__":{"polluted":true}}}'],
    ["__proto__ as an own key", JSON.parse('{"pattern":"x","__proto__":{"mode":"count"}}')],
    ["constructor", { pattern: "x", nothing: { constructor: { prototype: { polluted: true } } } }],
    ["prototype", { pattern: "x", prototype: 1 }],
    [
      "__proto__ inside JSON text inside the arguments",
      { pattern: "x", edits: '[{"__proto__":{"old_text":"a"}}]' },
    ],
    ["half a surrogate pair inside JSON text inside", { pattern: "x", exclude: '["\\ud800"]' }],
    ["100 levels", { pattern: "x", nothing: nested(100) }],
    ["100 levels as text", `{"pattern":"x","nothing":${deepText}}`],
    [
      "100 levels of lists inside text inside",
      { pattern: "x", exclude: `${"[".repeat(100)}${"]".repeat(100)}` },
    ],
    ["a circle", cycle],
    ["a function", { pattern: "x", nothing: () => 1 }],
    ["a symbol", { pattern: "x", nothing: Symbol("x") }],
    ["a BigInt", { pattern: "x", nothing: 1n }],
    ["NaN", { pattern: "x", weight: Number.NaN }],
    ["infinity", { pattern: "x", weight: Number.POSITIVE_INFINITY }],
    ["a date", { pattern: "x", nothing: new Date() }],
    ["a map", { pattern: "x", nothing: new Map() }],
    ["half a surrogate pair", { pattern: "a\ud800" }],
    ["a class instance with a prototype of its own", Object.create({ pattern: "x" })],
    ["10 MB of text", { pattern: "x".repeat(10 * 1024 * 1024) }],
    ["40 MB of text", { pattern: "x", nothing: "x".repeat(40 * 1024 * 1024) }],
    ["200,000 values", { pattern: "x", nothing: Array.from({ length: 200_000 }, () => 1) }],
    ["a list with a length and nothing in it", { pattern: "x", nothing: new Array(4_000_000_000) }],
    ["a key of 10 MB", { pattern: "x", ["k".repeat(10 * 1024 * 1024)]: 1 }],
    ["a key of 10 MB in a record", { pattern: "x", extra: { ["k".repeat(10 * 1024 * 1024)]: 1 } }],
    ["a wrong value of 10 MB", { pattern: "x", mode: "x".repeat(10 * 1024 * 1024) }],
    ["an unknown key beside 100 KB", { pattern: "x".repeat(100_000), zzz: 1 }],
    ["emoji where a short text is cut", { pattern: "x", mode: `${"x".repeat(78)}🙂🙂` }],
  ])("%s: rejected quickly and briefly, without pollution", async (_title, args) => {
    const usedMs = measureProcessorTime();
    const result = await call(args);
    expect(result).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
    expect(result.text.length).toBeLessThan(1_500);
    expect(JSON.stringify(result).length).toBeLessThan(4_000);
    expect(encodeURIComponent(result.text)).not.toBe("");
    expect(usedMs()).toBeLessThan(2_000);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await call({ pattern: "still there" })).ok).toBe(true);
  });

  it("accepts harmless values that look hostile", async () => {
    const plain = Object.assign(Object.create(null), {
      pattern: "__proto__ 🙂",
      nothing: nested(20),
      weight: undefined,
    });
    expect(await got(plain)).toMatchObject({ pattern: "__proto__ 🙂" });
    expect(await got({ pattern: "x", extra: { toString: "a", hasOwnProperty: "b" } })).toMatchObject({
      extra: { toString: "a", hasOwnProperty: "b" },
    });
  });
});
