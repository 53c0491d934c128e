import { expect, it } from "vitest";
import { s } from "./schema-builder.js";
import { schemaCheck } from "./schema-check.js";

const schema = s.object({ count: s.integer("n", { minimum: 1, default: 2 }) });

it("accepts plainly valid values synchronously, and applies defaults", () => {
  const value = {};
  expect(schemaCheck(schema)(value)).toEqual({ value, problems: [] });
  expect(value).toEqual({ count: 2 });
});

it("names the problems of all other values, also while others wait for the same compilation", async () => {
  const check = schemaCheck(schema);
  const answers = await Promise.all([check({ count: 0 }), check({ count: "x" }), check({ count: 1 })]);
  expect(answers.map(({ problems }) => problems.map(({ keyword }) => keyword))).toEqual([
    ["minimum"],
    ["type"],
    [],
  ]);
});

it("keeps the order of values while the compiler loads", async () => {
  const [unusual, plain] = [schemaCheck(s.object({ a: s.string("a") })), schemaCheck(schema)];
  const settled: string[] = [];
  const first = Promise.resolve(unusual({ b: 1 })).then(() => settled.push("unusual"));
  const second = Promise.resolve(plain({ count: 1 })).then(() => settled.push("plain"));
  await Promise.all([first, second]);
  expect(settled).toEqual(["unusual", "plain"]);
});

it("gives the same results before and after compilation", async () => {
  const check = schemaCheck(schema);
  for (let use = 0; use < 50; use += 1) {
    const value = {};
    expect(await check(value)).toEqual({ value, problems: [] });
    expect(value).toEqual({ count: 2 });
    if (use % 10 === 9)
      expect(await check({ count: 0 })).toMatchObject({ problems: [{ pointer: "/count" }] });
  }
});
