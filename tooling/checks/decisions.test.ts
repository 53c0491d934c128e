import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./source-files.js";

const FOLDER = join(ROOT, "docs/decisions");
const pages = readdirSync(FOLDER).sort();

describe("FP10 the decisions", () => {
  it("are numbered without gaps, and each heading repeats its number", () => {
    const numbers = pages.map((page) => Number(page.slice(0, 4)));
    expect(numbers).toEqual(pages.map((_, index) => index + 1));
    const headings = pages.map((page) => readFileSync(join(FOLDER, page), "utf8").split("\n")[0]);
    expect(headings).toEqual(
      pages.map((_, index) => expect.stringMatching(new RegExp(`^# ${numbers[index]}\\. `))),
    );
  });

  it.each(["architecture.md", ...pages.map((page) => `decisions/${page}`)])(
    "%s links only to decisions that exist",
    (page) => {
      const file = join(ROOT, "docs", page);
      const links = readFileSync(file, "utf8").matchAll(/\]\(((?:decisions\/)?\d{4}-[^)#]*\.md)/g);
      const missing = [...links].map(([, link = ""]) => link);
      expect(missing.filter((link) => !existsSync(join(dirname(file), link)))).toEqual([]);
    },
  );
});
