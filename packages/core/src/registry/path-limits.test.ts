import { describe, expect, it } from "vitest";
import { createRuntime, defineTool, type PolicyRule, s } from "../index.js";
import { MemoryWorkspace } from "../memory/index.js";

const Read = defineTool({
  name: "read",
  summary: "Read.",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File to read") }),
  run: async () => 1,
});
const Write = defineTool({
  name: "write",
  summary: "Write.",
  permissions: ["WriteFiles"],
  input: s.object({ path: s.path("File to write."), text: s.string("Text") }),
  brief: { description: "Write.", parameters: { path: "File", text: "Text" } },
  run: async () => 1,
});

const Patch = defineTool({
  name: "patch",
  summary: "Apply a patch.",
  permissions: ["WriteFiles"],
  input: s.object({ patch: s.string("The patch") }),
  brief: { description: "Apply a patch.", parameters: { patch: "The patch" } },
  run: async () => 1,
});
const Dice = defineTool({
  name: "dice",
  summary: "Roll dice.",
  input: s.object({}),
  run: async () => 1,
});

async function described(...rules: PolicyRule[]) {
  const runtime = await createRuntime({
    workspace: new MemoryWorkspace(),
    tools: [Read, Write, Patch, Dice],
    role: { name: "author", permissions: ["ReadFiles", "WriteFiles"], rules },
  });
  const text = (name: string) => {
    const tool = runtime.tools().find((one) => one.name === name);
    const properties = tool?.input.properties as { path: { description: string } } | undefined;
    return properties?.path.description;
  };
  return { read: text("read"), write: text("write"), tools: runtime.tools() };
}

describe("a role narrows the schemas of its tools", () => {
  it("a tool limited to docs/ says so in its full and in its short description", async () => {
    const { read, write, tools } = await described({
      effect: "deny",
      permission: "WriteFiles",
      when: { path: { not: "docs/**" } },
    });
    expect(write).toBe("File to write. Only docs/**.");
    expect(read).toBe("File to read");
    expect(tools.find(({ name }) => name === "write")?.brief?.parameters).toEqual({
      path: "File. Only docs/**.",
      text: "Text",
    });
  });

  it("FP7 a rule about all changes narrows the tools that change files, but not those that only read", async () => {
    const path = { not: "docs/**" };
    const { read, write } = await described({
      effect: "deny",
      when: { path, change: ["create", "modify", "delete", "move"] },
    });
    expect([read, write]).toEqual(["File to read", "File to write. Only docs/**."]);
    const deleting = await described({ effect: "deny", when: { path, change: "delete" } });
    expect(deleting.write).toBe("File to write.");
  });

  it("names denied paths, but not rules that ask or depend on more than the path", async () => {
    const { read, write } = await described(
      { effect: "deny", when: { path: ["legal/**", "keys/**"] } },
      { effect: "ask", when: { path: "src/**" } },
      { effect: "deny", tool: "write", when: { path: "x/**", argument: { name: "text", oneOf: ["a"] } } },
    );
    expect(read).toBe("File to read. Not legal/** or keys/**.");
    expect(write).toBe("File to write. Not legal/** or keys/**.");
  });

  it("FP7 a tool without a path parameter names the limit in its description, unless it does not use files", async () => {
    const { tools } = await described({ effect: "deny", when: { path: { not: "docs/**" } } });
    const summary = (wanted: string) => tools.find(({ name }) => name === wanted)?.summary;
    expect(summary("patch")).toBe("Apply a patch. Only docs/**.");
    expect(tools.find(({ name }) => name === "patch")?.brief?.description).toBe(
      "Apply a patch. Only docs/**.",
    );
    expect([summary("write"), summary("dice")]).toEqual(["Write.", "Roll dice."]);
  });

  it("without such rules the schema is the tool's own", async () => {
    const { tools } = await described();
    expect(tools.find(({ name }) => name === "write")?.input).toBe(Write.definition.input);
  });
});
