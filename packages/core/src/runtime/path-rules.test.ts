import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, fromJsonSchema, type PolicyRule, s } from "../index.js";

const schemas = {
  path: s.object({ file: s.path("File") }),
  string: s.object({ file: s.string("File") }),
  json: fromJsonSchema<{ file: string }>({
    type: "object",
    properties: { file: { type: "string" } },
    required: ["file"],
  }),
};
const common = { summary: "Open a file.", output: s.json("Anything"), approval: "auto" } as const;

const readers = Object.entries(schemas).flatMap(([kind, input]) => {
  const read = { ...common, category: "read", permissions: ["ReadFiles"], input } as const;
  return [
    defineTool({
      ...read,
      name: `text_${kind}`,
      run: async ({ file }, { workspace }) => workspace.readText(file),
    }),
    defineTool({
      ...read,
      name: `bytes_${kind}`,
      run: async ({ file }, { workspace }) => [...(await workspace.readBytes(file))],
    }),
    defineTool({
      ...read,
      name: `stream_${kind}`,
      run: async ({ file }, { workspace }) => {
        const chunks = [];
        for await (const chunk of workspace.stream(file)) chunks.push(...chunk);
        return chunks;
      },
    }),
    defineTool({
      ...read,
      name: `hash_${kind}`,
      run: async ({ file }, { workspace }) => workspace.hashOf(file),
    }),
    defineTool({
      ...read,
      name: `stat_${kind}`,
      run: async ({ file }, { workspace }) => workspace.stat(file),
    }),
    defineTool({
      ...read,
      name: `exists_${kind}`,
      run: async ({ file }, { workspace }) => workspace.exists(file),
    }),
  ];
});
const { string: input } = schemas;
const Look = defineTool({
  ...common,
  name: "look",
  category: "read",
  permissions: ["ReadFiles"],
  input,
  run: async ({ file }, { workspace }) => {
    const names = (await workspace.list(file)).map(({ path }) => path);
    for await (const { path } of workspace.walk(file)) names.push(path);
    return names;
  },
});
const Copy = defineTool({
  ...common,
  name: "copy",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"],
  input: s.object({
    from: s.string("From"),
    to: s.string("To"),
    how: s.enum("How", ["copy", "move", "remove"]),
  }),
  run: async ({ from, to, how }, { workspace }) => {
    if (how === "move") await workspace.move(from, to);
    if (how === "remove") await workspace.remove(from, { recursive: true });
    if (how === "copy") await workspace.writeText(to, await workspace.readText(from));
    return {};
  },
});

const files = {
  "secret/key.txt": "k",
  "secret/deep/more.txt": "m",
  "open.txt": "o",
  link: { link: "secret/key.txt" },
  "docs/a.md": "d",
};
const open = (rules: readonly PolicyRule[], more: object = {}) =>
  createTestRuntime({ tools: [...readers, Look, Copy], files, rules, ...more });
const DENY: PolicyRule = { effect: "deny", when: { path: "secret/**" }, reason: "nobody reads this" };
const DENIED = { ok: false, error: { code: "POLICY_DENIED" } };

describe("FE13 a path rule holds where a file is opened", () => {
  it.each(readers.map(({ definition: { name } }) => name))("%s", async (tool) => {
    const runtime = open([DENY]);
    for (const file of ["secret/key.txt", "./secret//key.txt", "link", "/workspace/secret/key.txt"]) {
      expect(await runtime.call(tool, { file })).toMatchObject(DENIED);
      expect((await runtime.explain(tool, { file })).effect).toBe("deny");
    }
    expect(await runtime.call(tool, { file: "open.txt" })).toMatchObject({ ok: true });
    expect((await runtime.explain(tool, { file: "open.txt" })).effect).toBe("allow");
  });

  it("does not reveal whether a denied file exists", async () => {
    const runtime = open([DENY]);
    expect(await runtime.call("stat_string", { file: "secret/none" })).toMatchObject(DENIED);
    expect(await runtime.call("exists_string", { file: "secret/none" })).toMatchObject(DENIED);
  });

  it("listings omit denied files", async () => {
    const runtime = open([DENY]);
    const { value } = (await runtime.call("look", { file: "" })) as unknown as { value: string[] };
    expect(new Set(value)).toEqual(new Set(["docs", "docs/a.md", "link", "open.txt"]));
    expect(await runtime.call("look", { file: "secret" })).toMatchObject(DENIED);
  });

  it("only docs/** is visible if everything else is denied", async () => {
    const runtime = open([{ effect: "deny", when: { path: { not: "docs/**" } } }]);
    const { value } = (await runtime.call("look", { file: "" })) as unknown as { value: string[] };
    expect(new Set(value)).toEqual(new Set(["docs", "docs/a.md"]));
    expect(await runtime.call("text_string", { file: "docs/a.md" })).toMatchObject({ ok: true, value: "d" });
    expect(await runtime.call("text_string", { file: "open.txt" })).toMatchObject(DENIED);
  });

  it("denies copying, moving or deleting denied files, also through their folders", async () => {
    const runtime = open([DENY]);
    const refused = [
      { from: "secret/key.txt", to: "out.txt", how: "copy" },
      { from: "link", to: "out.txt", how: "copy" },
      { from: "open.txt", to: "secret/new.txt", how: "copy" },
      { from: "secret/key.txt", to: "out.txt", how: "move" },
      { from: "secret", to: "out", how: "move" },
      { from: "secret", to: "", how: "remove" },
    ];
    for (const args of refused) expect(await runtime.call("copy", args)).toMatchObject(DENIED);
    const nested = open([{ effect: "deny", when: { path: "secret/deep/**" } }]);
    for (const how of ["move", "remove"])
      expect(await nested.call("copy", { from: "secret", to: "out", how })).toMatchObject(DENIED);
    expect(Object.keys(await nested.workspaceFiles()).sort()).toContain("secret/deep/more.txt");
    expect(await runtime.call("copy", { from: "open.txt", to: "out.txt", how: "copy" })).toMatchObject({
      ok: true,
    });
  });

  it("a rule for one tool does not affect the others", async () => {
    const runtime = open([{ ...DENY, tool: "text_string" }]);
    expect(await runtime.call("text_string", { file: "secret/key.txt" })).toMatchObject(DENIED);
    expect(await runtime.call("text_json", { file: "secret/key.txt" })).toMatchObject({ ok: true });
  });

  it("a file that needs approval under a rule prompts once, when it is opened", async () => {
    const rules: PolicyRule[] = [{ effect: "ask", when: { path: "secret/**" }, reason: "private" }];
    const approver = scriptedApprover([true, false]);
    const runtime = open(rules, { approver });
    expect(await runtime.call("text_string", { file: "secret/key.txt" })).toMatchObject({
      ok: true,
      value: "k",
    });
    expect(approver.requests).toMatchObject([{ tool: "text_string", reason: "private" }]);
    expect(await runtime.call("text_json", { file: "link" })).toMatchObject({
      error: { code: "APPROVAL_DENIED" },
    });
    expect(await open(rules).call("text_string", { file: "secret/key.txt" })).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    const copying = scriptedApprover(false);
    const denied = open(rules, { approver: copying });
    const copied = await denied.call("copy", { from: "secret/key.txt", to: "out.txt", how: "copy" });
    expect(copied).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(copying.requests).toHaveLength(1);
    expect(await denied.workspaceFiles()).not.toHaveProperty("out.txt");
    const dry = await open(rules).call("copy", { from: "link", to: "o", how: "copy" }, { dryRun: true });
    expect(dry).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
    expect((await open(rules).explain("text_string", { file: "link" })).effect).toBe("ask");
  });
});
