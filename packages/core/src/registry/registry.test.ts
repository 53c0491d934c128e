import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { catalog, defineTool, type PlainTool, s, token, tool, toolDefinition } from "../index.js";
import { createToolRuntime, rememberPack } from "../kernel.js";

const reading = (name: string, more: object = {}) =>
  defineTool({
    name,
    summary: `Do ${name}.`,
    category: "search",
    permissions: ["ReadFiles"],
    input: s.object({ path: s.path("Where", { default: "." }) }),
    output: s.object({}),
    run: async () => ({}),
    ...more,
  });

const writing = (name: string, more: object = {}) =>
  defineTool({
    name,
    summary: `Do ${name}.`,
    category: "write",
    permissions: ["ReadFiles", "WriteFiles"],
    input: s.object({}),
    output: s.object({}),
    run: async () => ({}),
    ...more,
  });

describe("S3.REG the registry", () => {
  it("S3.REG register, get, list, unregister", async () => {
    const runtime = createTestRuntime({ tools: [reading("one")] });
    const { registry } = runtime;
    const changes: number[] = [];
    const stop = registry.onChange(() => changes.push(registry.list().length));
    registry.onChange(() => {
      throw new Error("broken listener");
    });
    const takeAway = registry.register(reading("two"));
    expect(registry.list().map(({ name }) => name)).toEqual(["one", "two"]);
    expect(registry.get("two")).toMatchObject({
      name: "two",
      title: "Two",
      approval: "auto",
      idempotent: true,
    });
    expect(registry.get("three")).toBeUndefined();
    expect(await runtime.call("two")).toMatchObject({ ok: true });
    takeAway();
    takeAway();
    expect(registry.get("two")).toBeUndefined();
    expect(registry.unregister("two")).toBe(false);
    expect(registry.unregister("one")).toBe(true);
    stop();
    registry.register(reading("four"));
    expect(changes).toEqual([2, 1, 0]);
    expect(runtime.tools().map(({ name }) => name)).toEqual(["four"]);
  });

  it("S3.REG removing a tool does not remove its successor", () => {
    const { registry } = createTestRuntime({ tools: [] });
    const first = registry.register(reading("one"));
    registry.unregister("one");
    registry.register(reading("one"));
    first();
    expect(registry.get("one")).toBeDefined();
  });

  it("S3.REG toOpenAIFunctions returns name, description and parameters", () => {
    const { registry } = createTestRuntime({ tools: [reading("one")] });
    expect(registry.toOpenAIFunctions()).toEqual([
      {
        name: "one",
        description: "Do one.",
        parameters: expect.objectContaining({ type: "object", required: [] }),
      },
    ]);
  });

  it("S1.D5 tools are listed by category", () => {
    const { registry } = createTestRuntime({ tools: [reading("one"), writing("two"), reading("three")] });
    expect(registry.list({ category: "search" }).map(({ name }) => name)).toEqual(["one", "three"]);
    expect(registry.list({ category: "web" })).toEqual([]);
  });

  it("S1.M1 a flag switches a tool off and on again", async () => {
    const runtime = createTestRuntime({
      tools: [reading("one"), reading("two")],
      disabledTools: ["one", "not_there"],
    });
    expect(runtime.tools().map(({ name }) => name)).toEqual(["two"]);
    expect(await runtime.call("one")).toMatchObject({ ok: false, error: { code: "TOOL_DISABLED" } });
    runtime.registry.enable("one");
    expect(await runtime.call("one")).toMatchObject({ ok: true });
    runtime.registry.disable("one");
    expect(runtime.registry.get("one")).toBeUndefined();
  });

  it("two tools with the same name are an error that names both packages", () => {
    const ours = reading("one", { pack: "@haft/tool-one" });
    const theirs = reading("one", { pack: "@other/one" });
    expect(() => createTestRuntime({ tools: [ours, theirs] })).toThrow(
      /one: one of @haft\/tool-one, one of @other\/one/,
    );
    expect(() => createTestRuntime({ tools: [reading("x"), reading("x")] })).toThrow(
      /one of no package, one of no package/,
    );
    const dialects = { claude: { name: "Same" } };
    const tools = [reading("a", { dialects }), reading("b", { dialects })];
    expect(() => createTestRuntime({ tools })).not.toThrow();
    expect(() => createTestRuntime({ tools, dialect: "claude" })).toThrow(/two tools are called Same/);
  });

  it("an unknown tool is answered with the nearest names", async () => {
    const runtime = createTestRuntime({ tools: [reading("read_file"), reading("grep")] });
    const near = await runtime.call("raed_file");
    expect(near).toMatchObject({ error: { code: "TOOL_NOT_FOUND", hint: "Did you mean read_file?" } });
    expect((await runtime.call("zzzzzz")).text).toContain("The tools are: read_file, grep");
    expect((await createTestRuntime({ tools: [] }).call("grep")).text).toContain(
      "This runtime has no tools.",
    );
    for (const name of ["toString", "__proto__", "constructor", "", "x".repeat(100_000)]) {
      const result = await runtime.call(name);
      expect(result).toMatchObject({ error: { code: "TOOL_NOT_FOUND" } });
      expect(result.text.length).toBeLessThan(300);
    }
  });

  it("S1.A2 a description is complete: fields, defaults, examples", () => {
    const Full = reading("full", {
      title: "Full tool",
      guidance: "Use it.",
      termination: "Stop then.",
      pack: "@x/y",
      idempotent: false,
      examples: [{ when: "always", args: { path: "src" } }],
      approval: () => "auto",
    });
    expect(createTestRuntime({ tools: [Full] }).registry.get("full")).toMatchObject({
      title: "Full tool",
      guidance: "Use it.",
      termination: "Stop then.",
      pack: "@x/y",
      idempotent: false,
      approval: "depends",
      examples: [{ when: "always", args: { path: "src" } }],
    });
    expect(createTestRuntime({ tools: [writing("w")] }).registry.get("w")).toMatchObject({
      approval: "confirm",
      idempotent: false,
    });
  });

  it("names and summaries are validated when a tool is defined", () => {
    for (const name of ["", "Capital", "1st", "with-dash", "x".repeat(65), "a b"])
      expect(() => reading(name)).toThrow(/is not a tool name/);
    expect(() => reading("ok", { summary: "two\nlines" })).toThrow(/must be one line/);
    expect(() => createTestRuntime({ tools: [class Foreign {} as never] })).toThrow(/Foreign is not a tool/);
  });
});

describe("S0.PERM S1.C3 roles", () => {
  const tools = [reading("look"), writing("change")];

  it("S0.PERM a tool the role may not use is hidden and rejected, naming the missing permission", async () => {
    const role = { name: "reader", permissions: ["ReadFiles"] as const };
    const runtime = createTestRuntime({ tools, role });
    expect(runtime.tools().map(({ name }) => name)).toEqual(["look"]);
    expect(runtime.registry.get("change")).toBeUndefined();
    const refused = await runtime.call("change");
    expect(refused).toMatchObject({
      error: { code: "PERMISSION_DENIED", details: { missing: ["WriteFiles"] } },
    });
    expect(refused.text).toContain("The role reader may not use change: it lacks WriteFiles");
  });

  it("S0.PERM a role may be limited to some tools", async () => {
    const role = { name: "one", permissions: ["ReadFiles", "WriteFiles"] as const, tools: ["look"] };
    const runtime = createTestRuntime({ tools, role });
    expect(runtime.tools().map(({ name }) => name)).toEqual(["look"]);
    expect(await runtime.call("change")).toMatchObject({ error: { code: "PERMISSION_DENIED" } });
  });

  it("checks permissions before it prompts", async () => {
    const asked: unknown[] = [];
    const approver = async (request: unknown) => asked.push(request) as never;
    const runtime = createTestRuntime({
      tools,
      approver,
      role: { name: "reader", permissions: ["ReadFiles"] },
    });
    await runtime.call("change");
    expect(asked).toEqual([]);
  });
});

describe("S3.TOOL plain tools", () => {
  const plain: PlainTool = {
    name: "greet",
    description: "Greet somebody.\nPolitely.",
    inputSchema: z.object({ name: z.string().describe("Whom"), times: z.number().int().default(1) }),
    outputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    requiresApproval: false,
    execute: async ({ name, times }: { name: string; times: number }) =>
      name === "nobody"
        ? { ok: false, error: { code: "NOBODY", message: "nobody there", details: { name } } }
        : { ok: true, value: { text: `hi ${name}`.repeat(times) } },
  };

  it("S3.TOOL a plain object with a zod schema is a tool", async () => {
    const runtime = createTestRuntime({ tools: [plain] });
    expect(await runtime.call("greet", { name: "Ada" })).toMatchObject({
      ok: true,
      value: { text: "hi Ada" },
    });
    expect(await runtime.call("greet", {})).toMatchObject({
      ok: false,
      error: { code: "INVALID_ARGUMENTS" },
    });
    expect(runtime.registry.get("greet")).toMatchObject({
      summary: "Greet somebody.",
      guidance: "Politely.",
      category: "x-other",
    });
  });

  it("S3.ERR its Result union is converted to ours", async () => {
    const runtime = createTestRuntime({ tools: [plain] });
    expect(await runtime.call("greet", { name: "nobody" })).toMatchObject({
      ok: false,
      error: { code: "NOBODY", message: "nobody there", details: { name: "nobody" } },
    });
  });

  it("S3.DYN requiresApproval may be a function of the arguments", async () => {
    const runtime = createTestRuntime({
      tools: [{ ...plain, requiresApproval: ({ name }: { name: string }) => name !== "Ada" }],
    });
    expect(await runtime.call("greet", { name: "Ada" })).toMatchObject({ ok: true });
    expect(await runtime.call("greet", { name: "Bob" })).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
    const always = createTestRuntime({ tools: [{ ...plain, requiresApproval: true }] });
    expect(await always.call("greet", { name: "Ada" })).toMatchObject({
      error: { code: "APPROVAL_REQUIRED" },
    });
  });

  it("S3.TOOL a schema that cannot become JSON Schema is rejected at once", () => {
    const old = { "~standard": { vendor: "old-lib" } } as never;
    expect(() => createTestRuntime({ tools: [{ ...plain, inputSchema: old }] })).toThrow(
      /old-lib schema offers no JSON Schema/,
    );
    expect(() => createTestRuntime({ tools: [{ ...plain, name: "Not OK" }] })).toThrow(/is not a tool name/);
  });
});

describe("S1.C1 S1.C7 importing registers a tool, only a runtime offers it", () => {
  it("S1.C7 a defined tool is in the catalog; a later one does not change a running runtime", () => {
    const Early = reading("early_tool");
    const runtime = createToolRuntime({
      role: { name: "r", permissions: ["ReadFiles"] },
      tools: catalog.snapshot().filter((each) => each === Early),
      workspace: createTestRuntime({ tools: [] }).workspace,
    });
    const Late = reading("late_tool");
    expect(catalog.snapshot()).toContain(Late);
    expect(runtime.tools().map(({ name }) => name)).toEqual(["early_tool"]);
  });

  it("S1.C2 two runtimes share no service; each has its own instance", async () => {
    const made: object[] = [];
    const CLOCK = token("test.clock", () => {
      const clock = {};
      made.push(clock);
      return clock;
    });
    const definition = toolDefinition({
      name: "tick",
      summary: "Tick.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({}),
      inject: [CLOCK],
    });
    const seen: object[] = [];
    class Tick {
      constructor(readonly clock: object) {}
      async run() {
        seen.push(this.clock);
        return {};
      }
    }
    tool(definition)(Tick);
    const one = createTestRuntime({ tools: [Tick] });
    const two = createTestRuntime({ tools: [Tick] });
    for (const runtime of [one, one, two]) await runtime.call("tick");
    expect(made).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).not.toBe(seen[2]);
    const given = {};
    const three = createTestRuntime({ tools: [Tick], services: [[CLOCK, given]] });
    await three.call("tick");
    expect(seen[3]).toBe(given);
  });

  it("FP7 a missing service is an error when the runtime is created, naming the tool", () => {
    const NEEDED = token<object>("test.needed");
    const definition = toolDefinition({
      name: "needy",
      summary: "Need.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({}),
      inject: [NEEDED],
    });
    class Needy {
      run = async () => ({});
    }
    tool(definition)(Needy as never);
    expect(() => createTestRuntime({ tools: [Needy as never] })).toThrow(
      'needy needs the service "test.needed"',
    );
    rememberPack(Needy as never, "acme-needy");
    expect(() => createTestRuntime({ tools: [Needy as never] })).toThrow(
      'needy of acme-needy needs the service "test.needed"',
    );
    const services = [[NEEDED, {}]] as const;
    expect(createTestRuntime({ tools: [Needy as never], services }).tools()).toHaveLength(1);
  });
});

describe("FP7 a decorated class whose definition is a plain object", () => {
  it("is completed: no permissions, any output", async () => {
    class Echo {
      run = async ({ text }: { text: string }) => text;
    }
    const plain = { name: "plain_echo", summary: "Echo.", input: s.object({ text: s.string("Text") }) };
    tool(plain as never)(Echo as never);
    const runtime = createTestRuntime({ tools: [Echo as never] });
    expect(await runtime.call("plain_echo", { text: "a" })).toMatchObject({ ok: true, value: "a" });
    expect(() => tool({ ...plain, name: "Plain" } as never)).toThrow(/is not a tool name/);
  });
});

describe("FP9 lists exactly the usable tools", () => {
  const runs = defineTool({
    name: "runs_program",
    summary: "Run.",
    permissions: ["ExecuteCommands"],
    capabilities: ["processes"],
    input: s.object({}),
    run: async (_args, { processes }) => String(processes),
  });

  it("a tool without its capability is not listed, and calling it names the reason", async () => {
    const bare = createTestRuntime({ tools: [runs] });
    expect(bare.tools()).toEqual([]);
    const able = createTestRuntime({ tools: [runs], processes: {} as never });
    expect(able.tools().map(({ name }) => name)).toEqual(["runs_program"]);
  });

  it("calling an imported tool that `tools` omits names that reason", async () => {
    const runtime = createTestRuntime({ tools: [], imported: ["read_file"] });
    expect(await runtime.call("read_file")).toMatchObject({
      error: { code: "TOOL_NOT_FOUND", hint: expect.stringContaining("Add it to `tools`") },
    });
  });
});
