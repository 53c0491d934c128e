import { compileSchema } from "@haft/core/compile-schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInProcess } from "./fixtures/run-in-process.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

// The prompt of the real tools, as an agent is given it. What it costs is recorded here: a change that makes
// it more than 5 % longer is meant, or it fails.
const RECORDED = { prompt: 5_894, schemas: 7_054 };
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

const namesIn = (text: string) => [...text.matchAll(/^### (\S+)$/gm)].map((match) => match[1]);

describe("the prompt of the first-party tools", () => {
  it("stays under 6,000 tokens for a coder, its schemas under 9,000, and neither grows unnoticed", async () => {
    const said = /prompt (\d+) tokens, schemas (\d+) tokens/.exec(
      await haft("prompt", "--role", "coder", "--stats"),
    );
    const prompt = Number(said?.[1]);
    const schemas = Number(said?.[2]);
    expect(prompt).toBeGreaterThan(0);
    expect(prompt).toBeLessThan(Math.min(LIMITS.prompt, RECORDED.prompt * GROWTH));
    expect(schemas).toBeLessThan(Math.min(LIMITS.schemas, RECORDED.schemas * GROWTH));
  });

  it("S2.DOD every tool of every pack is there, with schemas that can be compiled", async () => {
    const tools: { name: string; input_schema: object }[] = JSON.parse(
      await haft("schema", "--for", "anthropic", "--role", "admin"),
    );
    expect(tools.length).toBeGreaterThanOrEqual(20);
    for (const { name, input_schema: schema } of tools) {
      expect(schema, name).toMatchObject({ type: "object", additionalProperties: false });
      expect(compileSchema(schema as never)({ no_such_parameter: 1 }), name).not.toEqual([]);
    }
  });

  it("is the same bytes each time, in both flavours", async () => {
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
  ])("%s %s holds its tools", async (_id, title, names) => {
    expect(namesIn(sectionOf(await haft("prompt", "--role", "admin"), title))).toEqual(names);
  });

  it("S0.CAT comes in the seeds' order, then execution and the web", async () => {
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

  it("S0.CAT holds only what a role may use, under the names of the dialect", async () => {
    const reader = await haft("prompt", "--role", "reader");
    expect(reader).not.toContain("## File Writing");
    expect(namesIn(reader)).toEqual(["glob", "grep", "list_directory", "search", "read_file"]);
    const claude = namesIn(await haft("prompt", "--role", "reader", "--dialect", "claude"));
    expect(claude).toEqual(expect.arrayContaining(["Glob", "Grep", "Read"]));
    expect(claude).not.toContain("grep");
  });

  it("S0.DOC.1 S0.DOC.2 every tool says when to stop and when to go on", async () => {
    const tools = (await haft("prompt", "--role", "admin")).split("\n### ").slice(1);
    for (const text of tools) expect(text, text.split("\n")[0]).toMatch(/\nTermination: \S/);
    const edits = tools.filter((text) => /^(edit|edit_lines|replace_in_file)\n/.test(text));
    expect(edits).toHaveLength(3);
    for (const text of edits)
      expect(text).toMatch(/Termination: .*(dry_run|preview).*terminate=true.*terminate=false/);
  });

  it.each(["canonical", "claude", "camel", "openai-patch"])(
    "S0.DOC.3 every example of the %s dialect is valid for the schema it stands beside",
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
