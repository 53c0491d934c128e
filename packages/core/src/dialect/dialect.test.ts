import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type DialectName, defineTool, s } from "../index.js";
import { DIALECT_NAMES } from "../kernel.js";

const Grep = defineTool({
  name: "grep",
  summary: "Search.",
  category: "search",
  permissions: ["ReadFiles"],
  aliases: { output_mode: ["mode"] },
  input: s.object({
    pattern: s.string("Pattern"),
    path: s.path("Where", { default: "." }),
    case_sensitive: s.boolean("Mind the case", { default: false }),
    output_mode: s.enum("What to show", ["content", "files_with_matches"], { default: "content" }),
    max_depth: s.integer("How deep", { default: 20 }),
    exclude: s.array("Leave out", s.path("Path"), { default: [] }),
  }),
  output: s.object({ args: s.json("What it got") }),
  examples: [{ when: "usually", args: { pattern: "x", case_sensitive: true } }],
  dialects: {
    claude: {
      name: "Grep",
      parameters: { case_sensitive: { not: "-i" }, path: "file_path" },
      defaults: { case_sensitive: true, output_mode: "files_with_matches" },
      omit: ["max_depth"],
    },
    "openai-patch": "hidden",
  },
  render: ({ args }, { showPath }) => `${showPath("src/a.ts")} ${showPath("")} ${JSON.stringify(args)}`,
  run: async (args) => ({ args }),
});

const open = (dialect: DialectName) => createTestRuntime({ tools: [Grep], dialect });

async function got(dialect: DialectName, args: object, name = "grep") {
  const result = await open(dialect).call(name, args);
  if (!result.ok) throw new Error(result.text);
  return (result.value as { args: object }).args;
}

describe("dialects are data", () => {
  it("R4 R7 claude: other names, an inverted parameter, other defaults, omitted parameters", async () => {
    const description = open("claude").registry.get("Grep");
    expect(description).toMatchObject({ name: "Grep", canonicalName: "grep" });
    const properties = description?.input.properties as Record<
      string,
      { default?: unknown; description: string }
    >;
    expect(Object.keys(properties)).toEqual(["pattern", "file_path", "-i", "output_mode", "exclude"]);
    expect(properties["-i"]).toMatchObject({ default: false, description: "Not: Mind the case" });
    expect(properties.output_mode?.default).toBe("files_with_matches");
    expect(description?.examples[0]?.args).toEqual({ pattern: "x", "-i": false });
    const defaults = { case_sensitive: true, output_mode: "files_with_matches", path: ".", max_depth: 20 };
    expect(await got("claude", { pattern: "x" }, "Grep")).toMatchObject(defaults);
    expect(await got("claude", { pattern: "x", "-i": true }, "Grep")).toMatchObject({
      case_sensitive: false,
    });
    expect(await got("claude", { pattern: "x", "-i": "false" }, "Grep")).toMatchObject({
      case_sensitive: true,
    });
    expect(await got("claude", { pattern: "x", "-i": "true" }, "Grep")).toMatchObject({
      case_sensitive: false,
    });
    expect(await got("claude", { pattern: "x" }, "grep")).toMatchObject(defaults);
  });

  it("R6 other spellings work beside a dialect's own defaults, and null means its default", async () => {
    for (const key of ["output_mode", "outputMode", "output-mode", "mode"])
      expect(await got("claude", { pattern: "x", [key]: "content" }, "Grep")).toMatchObject({
        output_mode: "content",
      });
    expect(await got("claude", { pattern: "x", output_mode: null, "-i": null }, "Grep")).toMatchObject({
      output_mode: "files_with_matches",
      case_sensitive: true,
    });
  });

  it("R5 claude: paths must be absolute and are shown absolute; the error has the corrected call", async () => {
    const runtime = open("claude");
    const result = await runtime.call("Grep", { pattern: "x", file_path: "src" });
    expect(result).toMatchObject({
      error: {
        code: "INVALID_ARGUMENTS",
        message: "file_path must be an absolute path",
        hint: "The workspace is /workspace.",
        next: { tool: "Grep", args: { pattern: "x", file_path: "/workspace/src" } },
      },
    });
    expect((await runtime.call("Grep", { pattern: "x", file_path: "/workspace/src" })).text).toContain(
      "/workspace/src/a.ts /workspace",
    );
    expect((await open("canonical").call("grep", { pattern: "x" })).text).toContain("src/a.ts .");
    expect(await runtime.call("Grep", { pattern: "x", exclude: ["src"] })).toMatchObject({
      error: { message: "exclude must be an absolute path", next: { args: { exclude: ["/workspace/src"] } } },
    });
  });

  it("S3 camel: parameters in camelCase, defaults unchanged", async () => {
    const { input } = open("camel").registry.get("grep") ?? {};
    expect(Object.keys(input?.properties as object)).toEqual([
      "pattern",
      "path",
      "caseSensitive",
      "outputMode",
      "maxDepth",
      "exclude",
    ]);
    expect(input?.required).toEqual(["pattern"]);
    expect(await got("camel", { pattern: "x", maxDepth: 3 })).toMatchObject({
      max_depth: 3,
      output_mode: "content",
    });
  });

  it("a hidden tool does not exist", async () => {
    const runtime = open("openai-patch");
    expect(runtime.tools()).toEqual([]);
    expect(await runtime.call("grep", { pattern: "x" })).toMatchObject({ error: { code: "TOOL_NOT_FOUND" } });
  });

  it("canonical: the schema is unchanged", () => {
    expect(open("canonical").registry.get("grep")?.input).toBe(Grep.definition.input);
    expect(DIALECT_NAMES).toEqual(["canonical", "claude", "camel", "openai-patch"]);
  });

  it("an unknown key is reported in the words of the dialect", async () => {
    const result = await open("claude").call("Grep", { pattern: "x", zzz: 1, "-i": true });
    expect(result).toMatchObject({ error: { next: { tool: "Grep", args: { pattern: "x", "-i": true } } } });
  });
});
