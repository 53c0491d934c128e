import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { entriesOf, exportedNames, packageNames, ROOT } from "./source-files.js";

const GLOSSARY = readFileSync(join(ROOT, "CONTEXT.md"), "utf8");

/** Returns the words that CONTEXT.md bans from names, and the exceptions it lists. */
const banned = listed("Banned in exported names");
const excepted = new Set(listed("Excepted"));

describe("FP11 the glossary", () => {
  it.each(packageNames())("%s exports no name with a banned word", (name) => {
    const words = new RegExp(banned.join("|"));
    expect(banned.length).toBeGreaterThan(4);
    const names = [...entriesOf(name).values()].flatMap((file) => exportedNames(file));
    expect(names.filter((each) => words.test(each) && !excepted.has(each))).toEqual([]);
  });
});

function listed(label: string): readonly string[] {
  const [, line = ""] = new RegExp(`^${label}: (.*)$`, "m").exec(GLOSSARY) ?? [];
  return [...line.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}
