import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type DialectName, defineTool, KERNEL_ERROR_CODES, s, ToolError } from "../index.js";

const Read = defineTool({
  name: "read_file",
  summary: "Read.",
  guidance: "Read before you write.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({
    path: s.path("File to read, relative to the workspace (an absolute path inside it works too)"),
    also: s.array("More", s.path("Another, relative to the workspace"), { default: [] }),
    line_limit: s.integer("How many lines", { default: 10 }),
    raw_bytes: s.boolean("As bytes", { default: false }),
  }),
  output: s.object({}),
  examples: [
    { when: "usually", args: { path: "src/a.ts", also: ["b.ts"], line_limit: 5 } },
    { when: "bytes are needed", args: { path: "a.png", raw_bytes: true } },
  ],
  dialects: { claude: { name: "Read", parameters: { path: "file_path" }, omit: ["raw_bytes"] } },
  run: async () => ({}),
});

const Fail = defineTool({
  name: "fail",
  summary: "Fail.",
  category: "write",
  permissions: ["WriteFiles"],
  alsoUses: ["ReadFiles", "DeleteFiles"],
  input: s.object({ raw: s.boolean("Raw", { default: false }) }),
  output: s.object({}),
  run: async ({ raw }) => {
    const args = { path: "a.txt", line_limit: 3, raw_bytes: raw };
    throw new ToolError("NO_MATCH", "no", { next: { tool: "read_file", args } });
  },
});

const open = (dialect: DialectName, more: object = {}) =>
  createTestRuntime({ tools: [Read, Fail], dialect, ...more });

async function nextIn(dialect: DialectName, args: object = {}, more: object = {}) {
  const result = await open(dialect, more).call("fail", args);
  return result.ok ? "it did not fail" : result.error.next;
}

describe("the call that a failure suggests can be made as it is", () => {
  it("it has the names and paths of the dialect", async () => {
    expect(await nextIn("canonical")).toEqual({
      tool: "read_file",
      args: { path: "a.txt", line_limit: 3, raw_bytes: false },
    });
    expect(await nextIn("camel")).toEqual({
      tool: "read_file",
      args: { path: "a.txt", lineLimit: 3, rawBytes: false },
    });
    const next = await nextIn("claude");
    expect(next).toEqual({ tool: "Read", args: { file_path: "/workspace/a.txt", line_limit: 3 } });
    const { tool, args } = next as { tool: string; args: object };
    expect(await open("claude").call(tool, args)).toMatchObject({ ok: true });
  });

  it("it is omitted if the dialect cannot express it", async () => {
    expect(await nextIn("claude", { raw: true })).toBeUndefined();
    expect(await nextIn("claude", {}, { disabledTools: ["read_file"] })).toBeUndefined();
    expect(await nextIn("camel", {}, { tools: [Fail] })).toBeUndefined();
    const role = { name: "writer", permissions: ["WriteFiles"] };
    expect(await nextIn("canonical", {}, { role })).toBeUndefined();
  });
});

describe("a description is correct in its dialect", () => {
  it("examples: complete or omitted, with paths in the dialect's form", async () => {
    const described = open("claude").registry.get("Read");
    expect(described?.examples).toEqual([
      {
        when: "usually",
        args: { file_path: "/workspace/src/a.ts", also: ["/workspace/b.ts"], line_limit: 5 },
      },
    ]);
    expect(
      open("camel")
        .registry.get("read_file")
        ?.examples.map(({ args }) => args),
    ).toEqual([
      { path: "src/a.ts", also: ["b.ts"], lineLimit: 5 },
      { path: "a.png", rawBytes: true },
    ]);
    const wrong = await open("claude").call("Read", {});
    expect(wrong.text).toContain('"file_path":"/workspace/src/a.ts"');
  });

  it("paths: their purpose, and that they are absolute", () => {
    const { input } = open("claude").registry.get("Read") ?? {};
    expect(input).toMatchObject({
      properties: {
        file_path: { description: "File to read (absolute path)" },
        also: { items: { description: "Another (absolute path)" } },
      },
    });
    expect(JSON.stringify(open("canonical").registry.get("read_file")?.input)).toContain("relative to");
  });

  it("permissions: those the tool needs, and of the optional ones those the role holds", () => {
    const reader = { name: "r", permissions: ["WriteFiles", "ReadFiles"] } as const;
    expect(open("canonical", { role: reader }).registry.get("fail")?.permissions).toEqual([
      "WriteFiles",
      "ReadFiles",
    ]);
    expect(open("canonical").registry.get("fail")?.permissions).toContain("DeleteFiles");
  });

  it("functions for providers: no format of our own, with the guidance", () => {
    const [read] = open("canonical").registry.toOpenAIFunctions();
    expect(read?.description).toBe("Read.\nRead before you write.");
    expect(JSON.stringify(read)).not.toContain("workspace-path");
    expect(read?.parameters).toMatchObject({ properties: { path: { type: "string" } } });
  });
});

describe("a runtime that cannot be created rejects with a reason and a code", () => {
  const codeOf = (make: () => unknown): unknown => {
    try {
      return make();
    } catch (thrown) {
      return ToolError.is(thrown) ? thrown : String(thrown);
    }
  };

  it("CONFIG_INVALID: an unknown dialect, with the nearest known one", () => {
    for (const name of ["cluade", "constructor", ""])
      expect(codeOf(() => open(name as DialectName))).toMatchObject({ code: "CONFIG_INVALID" });
    expect(codeOf(() => open("cluade" as DialectName))).toMatchObject({
      hint: "The dialects are canonical, claude, camel, openai-patch. Did you mean claude?",
    });
  });

  it("TOOL_CONFLICT: two tools with the same name", () => {
    expect(codeOf(() => createTestRuntime({ tools: [Read, Read] }))).toMatchObject({ code: "TOOL_CONFLICT" });
    expect(KERNEL_ERROR_CODES).toEqual(expect.arrayContaining(["TOOL_CONFLICT", "CONFIG_INVALID"]));
  });
});
