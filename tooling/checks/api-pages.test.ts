import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const PACKAGES = join(import.meta.dirname, "../../packages");
const read = (name: string, file: string) => JSON.parse(readFileSync(join(PACKAGES, name, file), "utf8"));

// The subpaths of a tool pack export tools that its root exports too.
const names = readdirSync(PACKAGES).filter((name) => !name.startsWith("tool-"));

it.each(names)("FP10 every entry of %s has a page in the API reference", (name) => {
  const { exports } = read(name, "package.json") as { exports: Record<string, { types?: string }> };
  const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
  const sources = entries.map((types) => types.replace("./dist/", "src/").replace(".d.ts", ".ts"));
  expect(sources).not.toEqual([]);
  expect(read(name, "typedoc.json").entryPoints).toEqual(expect.arrayContaining(sources));
});
