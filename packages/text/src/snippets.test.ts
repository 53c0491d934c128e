import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as text from "./index.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const snippets = [...readme.matchAll(/^(.+); \/\/ => (.+)$/gm)];

describe("README", () => {
  it("has an example for every function", () => {
    expect(snippets.length).toBeGreaterThan(25);
    for (const name of Object.keys(text)) expect(readme).toContain(name);
  });

  it.each(snippets.map(([, code, value]) => [code, value]))("%s", (code, value) => {
    expect(evaluate(`${code}`)).toEqual(evaluate(`(${value})`));
  });
});

function evaluate(code: string): unknown {
  return new Function(...Object.keys(text), `return ${code}`)(...Object.values(text));
}
