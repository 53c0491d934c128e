import { type JsonSchema, s, type ToolPermission } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import { describe, expect, it } from "vitest";
import { describedTool, SEED_TOOLS } from "../fixtures/seed-tools.js";
import { formatSystemPrompt } from "../format-system-prompt.js";
import { formatTools, PROVIDERS } from "./format-tools.js";
import { mcpAnnotations, toMcpTools } from "./mcp-tools.js";
import { toOpenAiResponsesTools } from "./openai-responses-tools.js";
import { toOpenAiTools } from "./openai-tools.js";

const grep = SEED_TOOLS.filter(({ name }) => name === "grep");

describe("every provider", () => {
  it.each(PROVIDERS)("%s gets all tools, without private keywords in their schemas", (provider) => {
    const text = JSON.stringify(formatTools(SEED_TOOLS, provider));
    expect(text).not.toContain("workspace-path");
    for (const { name } of SEED_TOOLS) expect(text).toContain(`"name":"${name}"`);
  });

  it.each(PROVIDERS)("%s is told about terminate only if the loop uses it", (provider) => {
    const told = '"terminate":{"type":"boolean","description":"terminate=false if';
    expect(JSON.stringify(formatTools(grep, provider, { terminate: false }))).not.toContain("terminate");
    expect(JSON.stringify(formatTools(grep, provider, { terminate: true }))).toContain(told);
  });

  it.each(PROVIDERS)("%s may carry what the system prompt promises", (provider) => {
    const isPromised = formatSystemPrompt(grep).includes("Every call may carry `terminate`");
    const isOffered = JSON.stringify(formatTools(grep, provider)).includes('"terminate":{');
    expect(isOffered).toBe(provider === "mcp" ? false : isPromised);
  });

  it("keeps a tool's own parameter called terminate", () => {
    const own = describedTool("t", "x-t", { input: s.object({ terminate: s.string("Own") }) });
    expect(JSON.stringify(formatTools([own], "anthropic", { terminate: true }))).toContain(
      '"terminate":{"type":"string","description":"Own"}',
    );
    const silent = describedTool("t", "x-t");
    expect(JSON.stringify(formatTools([silent], "anthropic", { terminate: true }))).toContain(
      "true if the task is done after this call.",
    );
  });
});

describe("the formats", () => {
  const description = "Summary of grep.\nNarrow with file_type or glob before you raise max_results.";

  it("openai wraps a function", () => {
    expect(formatTools(grep, "openai", { terminate: false })).toEqual([
      { type: "function", function: { name: "grep", description, parameters: grep[0]?.input } },
    ]);
  });

  it("openai-responses is flat", () => {
    expect(formatTools(grep, "openai-responses", { terminate: false })).toEqual([
      { type: "function", name: "grep", description, parameters: grep[0]?.input, strict: false },
    ]);
  });

  it("anthropic has an input_schema", () => {
    expect(formatTools(grep, "anthropic", { terminate: false })).toEqual([
      { name: "grep", description, input_schema: grep[0]?.input },
    ]);
  });

  it("gemini has one list of declarations", () => {
    expect(formatTools(grep, "gemini", { terminate: false })).toEqual([
      { functionDeclarations: [{ name: "grep", description, parametersJsonSchema: grep[0]?.input }] },
    ]);
  });

  it("mcp has schemas and annotations", () => {
    expect(formatTools(grep, "mcp")).toEqual([
      {
        name: "grep",
        title: "grep",
        description,
        inputSchema: grep[0]?.input,
        outputSchema: grep[0]?.output,
        annotations: {
          title: "grep",
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
    ]);
  });

  it("openai descriptions stay within the API's limit", () => {
    const [tool] = toOpenAiTools([describedTool("a", "x-a", { guidance: "long ".repeat(1000) })]);
    expect(tool?.function.description.length).toBeLessThanOrEqual(1024);
  });
});

describe("strict mode", () => {
  it("is set for supported tools, and unset for the others", () => {
    const open = describedTool("open", "x-o", {
      input: s.object({ env: s.record("Variables", s.string("A value")) }),
    });
    const [first, second] = toOpenAiTools([...grep, open], { strict: true, terminate: false });
    expect(first?.function.strict).toBe(true);
    expect(first?.function.parameters.required).toEqual([
      "pattern",
      "file_type",
      "max_results",
      "exclude",
      "output_mode",
    ]);
    expect(second?.function).toMatchObject({ strict: false, parameters: open.input });
    expect(toOpenAiResponsesTools(grep, { strict: true, terminate: false })[0]?.strict).toBe(true);
  });
});

describe("mcp annotations", () => {
  const of = (...permissions: ToolPermission[]) =>
    mcpAnnotations(describedTool("t", "x-t", { permissions, idempotent: false }));

  it("are derived from permissions", () => {
    expect(of("ReadFiles")).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
    expect(of("CreateFiles")).toMatchObject({ readOnlyHint: false, destructiveHint: false });
    expect(of("WriteFiles")).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: false,
    });
    expect(of("DeleteFiles")).toMatchObject({ destructiveHint: true });
    expect(of("RunCode")).toMatchObject({ destructiveHint: true, openWorldHint: false });
    expect(of("NetworkAccess")).toMatchObject({ readOnlyHint: false, openWorldHint: true });
    expect(of("ExecuteCommands")).toMatchObject({ destructiveHint: true, openWorldHint: true });
  });

  it("assume the worst of an unknown permission", () => {
    expect(of("x-acme-pay")).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      openWorldHint: true,
    });
  });

  it("omit an output schema that the protocol does not support", () => {
    const [tool] = toMcpTools([describedTool("t", "x-t", { output: s.string("Text"), input: {} })]);
    expect(tool).not.toHaveProperty("outputSchema");
    expect(tool?.inputSchema).toEqual({ type: "object" });
  });
});

describe("the schemas", () => {
  it("keeps schemas that accept the same values", () => {
    const [tool] = toOpenAiTools(grep);
    const validate = compileSchema(tool?.function.parameters as JsonSchema);
    expect(validate({ pattern: "a" })).toEqual([]);
    expect(validate({ pattern: 1 })).not.toEqual([]);
  });
});
