import { createTestRuntime, scriptedApprover } from "@haft/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool, redactStrings, s, ToolError, type ToolResult } from "../index.js";
import { behaving } from "./behaving-tool.fixture.js";

describe("call ids", () => {
  const counting = () => {
    let count = 0;
    const Count = behaving(() => ({ n: ++count }));
    return { runtime: createTestRuntime({ tools: [Count] }), count: () => count };
  };

  it("the same call under the same id runs once and returns the same result", async () => {
    const { runtime, count } = counting();
    const options = { callId: "x" };
    const both = await Promise.all([
      runtime.call("behave", { n: 1 }, options),
      runtime.call("behave", { n: 1 }, options),
    ]);
    expect(both[0]).toBe(both[1]);
    expect(await runtime.call("behave", { n: 1 }, options)).toBe(both[0]);
    expect(count()).toBe(1);
  });

  it("another call under the same id is refused, and so is a real one after a dry run", async () => {
    const { runtime, count } = counting();
    await runtime.call("behave", { n: 1 }, { callId: "x", dryRun: true });
    for (const [name, args] of [
      ["behave", { n: 2 }],
      ["other", { n: 1 }],
      ["behave", { n: 1 }],
    ] as const)
      expect(await runtime.call(name, args, { callId: "x" })).toMatchObject({
        error: { code: "CALL_ID_CONFLICT" },
      });
    expect(count()).toBe(1);
  });

  it("a call without an id gets a generated one", async () => {
    const { runtime } = counting();
    const [a, b] = await Promise.all([runtime.call("behave"), runtime.call("behave")]);
    expect(a?.callId).not.toBe(b?.callId);
  });

  it("only the latest ids are remembered", async () => {
    const { runtime, count } = counting();
    for (let index = 0; index < 300; index += 1) await runtime.call("behave", {}, { callId: `id-${index}` });
    await runtime.call("behave", {}, { callId: "id-299" });
    expect(count()).toBe(300);
    await runtime.call("behave", {}, { callId: "id-0" });
    expect(count()).toBe(301);
  });
});

describe("the fields of a result", () => {
  it("terminate, from the options or among the arguments; the option wins", async () => {
    const runtime = createTestRuntime({ tools: [behaving(() => ({ n: 1 }))] });
    expect((await runtime.call("behave", {}, { terminate: true })).terminate).toBe(true);
    expect((await runtime.call("behave", { terminate: true })).terminate).toBe(true);
    expect((await runtime.call("behave", { terminate: "true" })).terminate).toBe(true);
    expect((await runtime.call("behave", { terminate: null })).terminate).toBe(false);
    expect((await runtime.call("behave", { terminate: true }, { terminate: false })).terminate).toBe(false);
    expect((await runtime.call("nothing", {}, { terminate: true })).terminate).toBe(true);
  });

  it("terminate is an ordinary argument for a tool that declares it", async () => {
    const Own = defineTool({
      name: "own",
      summary: "Own.",
      category: "read",
      permissions: [],
      input: s.object({ terminate: s.string("Whom") }),
      output: s.object({ whom: s.string("Whom") }),
      run: async ({ terminate }) => ({ whom: terminate }),
    });
    const result = await createTestRuntime({ tools: [Own] }).call("own", { terminate: "process" });
    expect(result).toMatchObject({ ok: true, value: { whom: "process" }, terminate: false });
  });

  it("text within the budget, never cut inside a character; the value is complete", async () => {
    const render = () => "🙂".repeat(5_000);
    for (const maxTokens of [100, 101, 102, 103]) {
      const runtime = createTestRuntime({
        tools: [behaving(() => ({ n: 1 }), { render })],
        limits: { maxTokens },
      });
      const { text } = await runtime.call("behave");
      expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
      expect(text).toContain("[cut:");
      expect(text.length).toBeLessThan(600);
    }
    const own = createTestRuntime({ tools: [behaving(() => ({ n: 1 }), { render, maxTokens: 150 })] });
    expect((await own.call("behave")).text.length).toBeLessThan(800);
  });

  it("warnings and images, if the model accepts them", async () => {
    const png = { type: "image", mimeType: "image/png", data: "AA==" } as const;
    const Draw = defineTool({
      name: "draw",
      summary: "Draw.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({ shown: s.boolean("Whether") }),
      run: async (_args, { attach, warn }) => {
        warn("careful");
        return { shown: attach(png) };
      },
    });
    const seeing = await createTestRuntime({ tools: [Draw] }).call("draw");
    expect(seeing).toMatchObject({ value: { shown: true }, warnings: ["careful"] });
    expect(seeing.ok && seeing.content).toEqual([
      { type: "text", text: '{"shown":true}\nNote: careful' },
      png,
    ]);
    const blind = await createTestRuntime({ tools: [Draw], acceptsImages: false }).call("draw");
    expect(blind.ok && blind.content).toHaveLength(1);
  });

  it("S1 at most 100 warnings, each of bounded length, without halves of secrets", async () => {
    const Flood = defineTool({
      name: "flood",
      summary: "Warn without end.",
      input: s.object({}),
      run: async (_args, { warn }) => {
        for (let i = 0; i < 1000; i++) warn(`${"w".repeat(1996)}hunter2 ${"w".repeat(1e5)}`);
        warn(undefined as never);
        return 1;
      },
    });
    const redact = redactStrings((text) => text.replaceAll("hunter2", "[secret]"));
    const { warnings } = await createTestRuntime({ tools: [Flood], redact }).call("flood");
    expect(warnings).toHaveLength(101);
    expect(warnings[0]).toBe(`${"w".repeat(1996)}[sec …[+100005 chars]`);
    expect(warnings.at(-1)).toBe("The tool made more than 100 warnings; the others are left out.");
  });

  it("no secrets: redacts value, text, warnings, changes and errors", async () => {
    const redact = redactStrings((text) => text.replaceAll("hunter2", "[secret]"));
    const Leak = defineTool({
      name: "leak",
      summary: "Leak.",
      category: "write",
      permissions: ["CreateFiles"],
      approval: "auto",
      input: s.object({ fail: s.boolean("Fail", { default: false }) }),
      output: s.object({ list: s.array("Texts", s.string("Text")), n: s.json("Anything") }),
      run: async ({ fail }, { workspace, warn, report }) => {
        warn("hunter2");
        report({ message: "hunter2" });
        await workspace.createText(`${fail}.txt`, "hunter2\n");
        if (fail)
          throw new ToolError("OOPS", "hunter2", { hint: "hunter2", details: { hunter: ["hunter2"] } });
        return { list: ["x", "hunter2"], n: Uint8Array.of(1) };
      },
    });
    const runtime = createTestRuntime({ tools: [Leak], redact });
    const good = await runtime.call("leak");
    expect(good).toMatchObject({ ok: true, value: { list: ["x", "[secret]"] } });
    const bad = await runtime.call("leak", { fail: true });
    expect(bad).toMatchObject({
      ok: false,
      error: { code: "OOPS", hint: "[secret]" },
      warnings: ["[secret]"],
    });
    expect(JSON.stringify([good, bad, runtime.events])).not.toContain("hunter2");
    expect(await runtime.workspaceFiles()).toEqual({ "false.txt": "hunter2\n" });
  });
});

describe("call never rejects", () => {
  it("with any name and arguments", async () => {
    const runtime = createTestRuntime({
      tools: [behaving(() => ({ n: 1 }))],
      approver: scriptedApprover(true),
    });
    const name = fc.oneof(
      fc.constant("behave"),
      fc.string(),
      fc.constantFrom("__proto__", "toString", "constructor"),
    );
    await fc.assert(
      fc.asyncProperty(
        name,
        fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
        async (tool, args) => {
          const result: ToolResult = await runtime.call(tool, args);
          expect(typeof result.ok).toBe("boolean");
          expect(result.text.length).toBeLessThan(5_000);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("a name that is not a string is an unknown tool", async () => {
    const runtime = createTestRuntime({ tools: [behaving(() => ({ n: 1 }))] });
    for (const name of [undefined, null, 1, {}, [], Symbol("x"), Object.create(null)])
      expect(await runtime.call(name as never, {})).toMatchObject({
        ok: false,
        error: { code: "TOOL_NOT_FOUND" },
      });
  });
});
