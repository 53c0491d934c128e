import { startScriptedModel } from "@haft/agent/scripted-model";
import { compileSchema } from "@haft/core/compile-schema";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// The first test imports every package, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

// The prompt of the real tools, as an agent receives it. Records its size: a change that makes it more than 5 % longer
// fails unless the recorded number is changed too.
const RECORDED = { prompt: 5_996, schemas: 7_250 };
const LIMITS = { prompt: 6_000, schemas: 9_000 };
const GROWTH = 1.05;

let workspace: ReturnType<typeof temporaryWorkspace>;

beforeAll(() => {
  workspace = temporaryWorkspace();
});
afterAll(() => workspace.remove());

async function haft(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(args, { cwd: workspace.folder });
  expect(code, stderr).toBe(0);
  return stdout;
}

function sectionOf(prompt: string, title: string): string {
  const [, rest = ""] = prompt.split(`\n## ${title}\n`);
  return rest.split("\n## ")[0] ?? "";
}

interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly properties: Readonly<Record<string, object>> };
}

/** Returns the tools of the first request that `haft run` sends. */
async function shownTools(): Promise<readonly ShownTool[]> {
  const model = await startScriptedModel([{ text: "Hello." }]);
  try {
    await haft("run", "hi", "--base-url", model.url, "--model", "scripted");
    return (model.requests[0]?.tools ?? []).map((tool) => tool.function as unknown as ShownTool);
  } finally {
    await model.close();
  }
}

const namesIn = (text: string) => [...text.matchAll(/^### (\S+)$/gm)].map((match) => match[1]);

describe("the prompt of the first-party tools", () => {
  it("stays under 6,000 tokens for a coder, its schemas under 9,000, and growth fails the test", async () => {
    const said = /prompt (\d+) tokens, schemas (\d+) tokens/.exec(
      await haft("prompt", "--style", "full", "--stats"),
    );
    const prompt = Number(said?.[1]);
    const schemas = Number(said?.[2]);
    expect(prompt).toBeGreaterThan(0);
    expect(prompt).toBeLessThan(Math.min(LIMITS.prompt, RECORDED.prompt * GROWTH));
    expect(schemas).toBeLessThan(Math.min(LIMITS.schemas, RECORDED.schemas * GROWTH));
  });

  it("FU1 compact: a coder's prompt and schemas stay under 4,500 tokens, each description under 120", async () => {
    const stats = await haft("prompt", "--stats");
    expect(stats).toBe(await haft("prompt", "--style", "compact", "--stats"));
    const [, tools, prompt, schemas] =
      /tools (\d+), prompt (\d+) tokens, schemas (\d+) tokens/.exec(stats) ?? [];
    expect(Number(tools)).toBeGreaterThanOrEqual(11);
    expect(Number(prompt) + Number(schemas)).toBeLessThan(4_500);
    const text = await haft("prompt", "--style", "compact");
    for (const line of text.split("\n").filter((each) => each.startsWith("- ")))
      expect(line.length / 4).toBeLessThan(120);
    for (const { name, description } of await shownTools())
      expect(description.length / 4, name).toBeLessThanOrEqual(120);
    expect(text).toContain("- find_tools: ");
  });

  it("FU1 compact: a parameter whose values explain it has no description", async () => {
    const grep = (await shownTools()).find(({ name }) => name === "grep");
    expect(grep?.parameters.properties.output_mode).toEqual({
      type: "string",
      enum: ["content", "files_with_matches", "count"],
    });
    expect(grep?.parameters.properties.pattern).toMatchObject({ description: "Regular expression" });
  });

  it("FU6 the prompt of a model is consistent", async () => {
    const tools = await shownTools();
    const command = tools.find(({ name }) => name === "execute_command");
    expect(JSON.stringify(command)).toMatch(/shell command/);
    expect(JSON.stringify(command)).not.toMatch(/without a shell|no shell|allowed command/);
    const code = tools.find(({ name }) => name === "run_code");
    expect(code?.description).toContain("60 s by default, at most 600");
    for (const { name, parameters } of tools)
      expect(parameters.properties.terminate, name).toEqual({
        type: "boolean",
        description: "Stop after this call",
      });
    const writing = tools.filter(({ name }) => /write|edit|patch|append|create|update|replace/.test(name));
    expect(writing.map(({ name }) => name).sort()).toEqual(["apply_patch", "edit", "write_file"]);
  });

  it("FU6 the same idea has the same parameter name in every tool that models see by default", async () => {
    const names = new Set(
      (await shownTools()).flatMap(({ parameters }) => Object.keys(parameters.properties)),
    );
    const synonyms = [
      ["path", "file", "file_path", "filename", "directory", "dir", "target"],
      ["max_results", "limit_results", "head_limit", "max_matches", "count"],
      ["pattern", "regex", "query_pattern", "search"],
      ["recursive", "recurse"],
      ["timeout", "timeout_ms", "timeout_seconds"],
      ["dry_run", "preview", "preview_only"],
      ["exclude", "exclude_dirs", "ignore"],
      ["cwd", "workdir", "working_directory"],
      ["overwrite", "force"],
    ];
    for (const idea of synonyms)
      expect(idea.filter((name) => names.has(name)).length, idea.join(", ")).toBeLessThanOrEqual(1);
  });

  it("S2.DOD contains every tool of every pack, with schemas that compile", async () => {
    const tools: { name: string; input_schema: object }[] = JSON.parse(
      await haft("schema", "--for", "anthropic", "--role", "admin"),
    );
    expect(tools.length).toBeGreaterThanOrEqual(20);
    for (const { name, input_schema: schema } of tools) {
      expect(schema, name).toMatchObject({ type: "object", additionalProperties: false });
      expect(compileSchema(schema as never)({ no_such_parameter: 1 }), name).not.toEqual([]);
    }
  });

  it("is the same bytes each time, in both styles", async () => {
    for (const flavour of [[], ["--xml"]])
      expect(await haft("prompt", ...flavour)).toBe(await haft("prompt", ...flavour));
  });

  it.each([
    ["S0.CAT.1", "Search & Discovery", ["glob", "grep", "list_directory", "search"]],
    ["S0.CAT.2", "File Reading", ["read_file"]],
    [
      "S0.CAT.3",
      "File Writing",
      [
        "append_file",
        "apply_patch",
        "create_file",
        "edit",
        "edit_lines",
        "replace_in_file",
        "update_file",
        "write_file",
      ],
    ],
    ["S0.CAT.4", "File Management", ["delete_file", "move_file"]],
  ])("%s %s contains its tools", async (_id, title, names) => {
    expect(namesIn(sectionOf(await haft("prompt", "--role", "admin"), title))).toEqual(names);
  });

  it("S0.CAT is in the seeds' order, then execution and the web", async () => {
    const titles = (await haft("prompt", "--role", "admin")).match(/^## .*$/gm);
    expect(titles).toEqual([
      "## Search & Discovery",
      "## File Reading",
      "## File Writing",
      "## File Management",
      "## Execution",
      "## Web",
    ]);
  });

  it("S0.CAT contains only the tools of the role, under the names of the dialect", async () => {
    const reader = await haft("prompt", "--role", "reader");
    expect(reader).not.toContain("## File Writing");
    expect(namesIn(reader)).toEqual(["glob", "grep", "list_directory", "search", "read_file"]);
    const claude = namesIn(await haft("prompt", "--role", "reader", "--dialect", "claude"));
    expect(claude).toEqual(expect.arrayContaining(["Glob", "Grep", "Read"]));
    expect(claude).not.toContain("grep");
  });

  it("S0.DOC.1 S0.DOC.2 every tool says when to stop and when to continue", async () => {
    const tools = (await haft("prompt", "--role", "admin")).split("\n### ").slice(1);
    for (const text of tools) expect(text, text.split("\n")[0]).toMatch(/\nTermination: \S/);
    const edits = tools.filter((text) => /^(edit|edit_lines|replace_in_file)\n/.test(text));
    expect(edits).toHaveLength(3);
    for (const text of edits)
      expect(text).toMatch(/Termination: .*(dry_run|preview).*terminate=true.*terminate=false/);
  });

  it.each(["canonical", "claude", "camel", "openai-patch"])(
    "S0.DOC.3 every example of the %s dialect is valid for its schema",
    async (dialect) => {
      const tools: { name: string; input_schema: object }[] = JSON.parse(
        await haft("schema", "--for", "anthropic", "--role", "admin", "--dialect", dialect),
      );
      const prompt = await haft("prompt", "--role", "admin", "--dialect", dialect);
      for (const text of prompt.split("\n### ").slice(1)) {
        const name = text.split("\n")[0];
        const schema = tools.find((tool) => tool.name === name)?.input_schema;
        const examples = [...text.matchAll(/^Example \(.*?\): `(.*)`$/gm)];
        if (dialect === "canonical") expect(examples.length, name).toBeGreaterThan(0);
        for (const [, json = ""] of examples)
          expect(compileSchema(schema as never)(JSON.parse(json)), `${name} ${json}`).toEqual([]);
      }
    },
  );
});
