import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_ROLES, KERNEL_ERROR_CODES } from "@haft/core";
import { describe, expect, it } from "vitest";
import { packageNames, ROOT } from "./source-files.js";

const roles = readFileSync(join(ROOT, "docs/roles.md"), "utf8");
const catalogue: Record<string, Record<string, readonly string[]>> = JSON.parse(
  readFileSync(join(ROOT, "docs/generator/error-catalogue.json"), "utf8"),
);
const explained = Object.values(catalogue).flatMap((section) => Object.keys(section));

describe("FP10 the error catalogue", () => {
  it("explains every code that a package throws or declares; add a new one to docs/generator/error-catalogue.json", () => {
    const missing = [...codesInSource()].filter((code) => !explained.includes(code));
    expect(missing).toEqual([]);
  });

  it("explains every code of the kernel, and no code twice", () => {
    expect(explained).toEqual(expect.arrayContaining([...KERNEL_ERROR_CODES]));
    expect(new Set(explained).size).toBe(explained.length);
  });

  it("has no code that the source does not know, and a remedy for each", () => {
    const source = packageNames().map(sourceText).join("\n");
    const isKnown = (code: string) => source.includes(`"${code}"`) || source.includes(`haft: ${code}: `);
    expect(explained.filter((code) => !isKnown(code))).toEqual([]);
    for (const entry of Object.values(catalogue).flatMap((section) => Object.values(section))) {
      expect(entry).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\S/)]);
    }
  });
});

it("the page on roles lists every built-in role with its permissions", () => {
  const listed = Object.fromEntries(
    [...roles.matchAll(/^\| `([a-z]+)` +\| ([\w ]+?) +\|$/gm)].map(([, name, permissions]) => [
      name,
      permissions?.split(" "),
    ]),
  );
  const built = Object.fromEntries(
    Object.values(BUILT_IN_ROLES).map(({ name, permissions }) => [name, [...permissions]]),
  );
  expect(listed).toEqual(built);
});

/**
 * Finds `new ToolError("CODE"`, `code: "CODE"`, `haft: CODE: ` and `errors: ["CODE"]`, without the codes of Node and
 * the operating system.
 */
function codesInSource(): ReadonlySet<string> {
  const texts = packageNames().map(sourceText);
  const thrown = texts.flatMap((text) => [...text.matchAll(/new \w*Error\(\s*"([A-Z][A-Z_]+)"/g)]);
  const settled = texts.flatMap((text) => [...text.matchAll(/\bcode: "([A-Z][A-Z_]+)"/g)]);
  const printed = texts.flatMap((text) => [...text.matchAll(/\bhaft: ([A-Z][A-Z_]+): /g)]);
  const lists = texts.flatMap((text) => [...text.matchAll(/^ {2}errors: \[([^\]]*)\]/gm)]);
  const declared = lists.flatMap(([, list = ""]) => [...list.matchAll(/"([A-Z_]+)"/g)]);
  const found = [...thrown, ...settled, ...printed, ...declared].map(([, code = ""]) => code);
  return new Set(found.filter((code) => code !== "NO_LINES" && !/^E[A-Z]+$/.test(code)));
}

function sourceText(name: string): string {
  const folders = ["src", "bin"].map((folder) => join(ROOT, "packages", name, folder));
  const files = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.[tj]s$/.test(file) && !/\.test\.|fixture/.test(file))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  );
  return files.join("\n");
}
