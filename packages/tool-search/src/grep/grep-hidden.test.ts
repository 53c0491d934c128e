import { describe, expect, it } from "vitest";
import { realRuntime } from "../../test-support/real-runtime.js";
import type { GrepResult } from "./grep-schema.js";

const files = {
  ".gitignore": "out/\n",
  ".github/workflows/ci.yml": "run: needle\n",
  ".rc": "needle\n",
  "out/.cache/x.txt": "unicorn\n",
  "src/a.ts": "needle\n",
  "src/.local/b.ts": "needle\n",
};

async function found(args: object): Promise<readonly string[] | undefined> {
  const { succeed } = await realRuntime({ files });
  const { value } = await succeed<GrepResult>("grep", { pattern: "needle", ...args });
  return value.matches?.map(({ path }) => path).sort();
}

describe("hidden files", () => {
  it("R17 are omitted and counted unless requested, as in ripgrep", async () => {
    const { succeed } = await realRuntime({ files });
    const { value, text } = await succeed<GrepResult>("grep", { pattern: "needle" });
    expect(value.matches?.map(({ path }) => path)).toEqual(["src/a.ts"]);
    expect(value.skipped).toMatchObject({ hidden: 4, ignored: 1 });
    expect(text).toContain("skipped 1 ignored, 4 hidden");
    expect(await found({ include_hidden: true })).toEqual([
      ".github/workflows/ci.yml",
      ".rc",
      "src/.local/b.ts",
      "src/a.ts",
    ]);
  });

  it.each([
    [{ path: ".github" }, [".github/workflows/ci.yml"]],
    [{ path: ".rc" }, [".rc"]],
    [{ path: "src/.local" }, ["src/.local/b.ts"]],
    [{ glob: ".github/**" }, [".github/workflows/ci.yml"]],
    [{ glob: "**/.local/*.ts" }, ["src/.local/b.ts"]],
    [{ glob: "{.rc,*.yml}" }, [".github/workflows/ci.yml", ".rc"]],
    [{ glob: "*.ts" }, ["src/a.ts"]],
    [{ glob: "!.local/**" }, ["src/a.ts"]],
    [{ path: "./src", glob: "./*.ts" }, ["src/a.ts"]],
  ])("R17 %j names a dot, or does not", async (args, expected) => {
    expect(await found(args)).toEqual(expected);
  });

  it("R17 an empty result reports the matches in hidden files", async () => {
    const { succeed } = await realRuntime({ files });
    const textOf = async (args: object) => (await succeed("grep", args)).text;
    expect(await textOf({ pattern: "run: needle" })).toContain(
      "But 1 match in 1 file with include_hidden:true.",
    );
    expect(await textOf({ pattern: "unicorn" })).toContain(
      "But 1 match in 1 file with include_hidden:true and include_ignored:true.",
    );
    expect(await textOf({ pattern: "nowhere" })).not.toContain("But");
  });
});

describe("ignored folders", () => {
  it.each(["out/", "out", "/out", "/out/*\nout"])("R18 %j: naming a folder includes it", async (rules) => {
    const { succeed } = await realRuntime({
      files: { ".gitignore": `${rules}\n*.log\n`, "out/a/x.ts": "needle\n", "src/y.log": "needle\n" },
    });
    const found = async (tool: string, args: object) =>
      JSON.stringify((await succeed(tool, args)).value).includes("out/a/x.ts");
    expect(await found("grep", { pattern: "needle" })).toBe(false);
    expect(await found("grep", { pattern: "needle", path: "out" })).toBe(true);
    expect(await found("grep", { pattern: "needle", path: "out/a" })).toBe(true);
    expect(await found("glob", { pattern: "out/**" })).toBe(true);
    expect(await found("search", { query: "needle", path: "out" })).toBe(true);
    expect((await succeed<GrepResult>("grep", { pattern: "needle", path: "src" })).value.totalMatches).toBe(
      0,
    );
  });
});
