import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import { Glob } from "../index.js";
import type { GlobResult } from "./glob-schema.js";

describe("excluded files that glob reports", () => {
  const files = { "a.js": "", "dist/b.js": "", "dist/c.js": "", "src/d.js": "", "src/dist/e.js": "" };

  it("S0.GLOB.1 omit files that another of the patterns lists", async () => {
    const { succeed } = await realRuntime({ files });
    const { value, text } = await succeed<GlobResult>("glob", { pattern: ["**/*.js", "dist/b.js"] });
    expect(value.files.map(({ path }) => path)).toEqual(["a.js", "dist/b.js", "src/d.js"]);
    expect(text).toContain("(1 more in excluded dist/, 1 more in excluded src/dist/; pass");
  });

  it("S0.GLOB.1 are counted once, however many patterns match them", async () => {
    const { succeed } = await realRuntime({ files });
    const { value } = await succeed<GlobResult>("glob", { pattern: ["**/*.js", "src/**/*.js"] });
    expect(value.excluded).toEqual([
      { folder: "dist/", count: 2 },
      { folder: "src/dist/", count: 1 },
    ]);
    const all = await succeed<GlobResult>("glob", { pattern: "**/*.js", include_ignored: true });
    expect(all.value.total).toBe(value.total + 3);
  });

  it("are a lower bound, marked as one, if there was too much to look through", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`node_modules/m/${index}.js`, ""]),
    );
    const around = { "node_modules/a/x.js": "", ...many, "node_modules/z/x.js": "" };
    const memory = createTestRuntime({ tools: [Glob], files: around });
    const result = await memory.call("glob", { pattern: "**/*.js" });
    expect(result).toMatchObject({ ok: true, value: { total: 0, excludedIncomplete: true } });
    expect(result.text).toMatch(/\(at least [\d,]+ more in excluded node_modules\/; pass/);
  });
});
