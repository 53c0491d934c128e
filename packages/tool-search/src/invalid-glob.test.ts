import { describe, expect, it } from "vitest";
import { realRuntime } from "../test-support/real-runtime.js";

const files = { "a.ts": "needle\n", "b.js": "needle\n", "old/c.ts": "needle\n" };

describe("an invalid glob beside the pattern", () => {
  it.each([
    ["grep", { pattern: "needle", glob: "[ab.ts" }, "glob", "[ab.ts", { glob: ["[ab].ts"] }],
    ["grep", { pattern: "needle", glob: ["*.ts", "*.{js"] }, "glob", "*.{js", { glob: ["*.ts", "*.{js}"] }],
    ["grep", { pattern: "needle", exclude: ["{a,b"] }, "exclude", "{a,b", { exclude: ["{a,b}"] }],
    ["glob", { pattern: "**/*.ts", exclude: ["[old"] }, "exclude", "[old", { exclude: ["[old]"] }],
    [
      "search",
      { query: "needle", exclude_dirs: ["[old"] },
      "exclude_dirs",
      "[old",
      { exclude_dirs: ["[old]"] },
    ],
  ])(
    "S0.GLOB.4 %s %j: is named, and the next call has it corrected",
    async (tool, args, parameter, glob, mended) => {
      const { fail, runtime } = await realRuntime({ files });
      const error = await fail(tool, args);
      expect(error.code).toBe("INVALID_PATTERN");
      expect(error.message).toMatch(`Invalid ${parameter} ${JSON.stringify(glob)}: unclosed`);
      expect(error.hint).not.toMatch(/RE2|literal/);
      expect(error.next).toMatchObject({ tool, args: { ...args, ...mended } });
      expect(await runtime.call(tool, error.next?.args ?? {})).toMatchObject({ ok: true });
    },
  );

  it("is omitted from the next call if it is empty", async () => {
    const { fail, succeed } = await realRuntime({ files });
    const error = await fail("grep", { pattern: "needle", glob: "", literal: true });
    expect(error).toMatchObject({ message: 'Invalid glob "": empty glob at position 0' });
    expect(error.hint).toMatch(/^Leave it out\./);
    expect(error.next?.args).not.toHaveProperty("glob");
    expect((await succeed("grep", error.next?.args ?? {})).value).toMatchObject({ totalMatches: 3 });
  });

  it("S0.GREP.5 does not hide an error in the pattern itself", async () => {
    const { fail } = await realRuntime({ files });
    expect(await fail("grep", { pattern: "(x", glob: "[a" })).toMatchObject({
      message: 'Invalid regular expression "(x": unclosed group at position 0',
    });
  });
});
