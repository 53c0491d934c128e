import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, s, ToolError, token, tool, toolDefinition } from "../index.js";
import { behaving } from "./behaving-tool.fixture.js";

const call = (run: Parameters<typeof behaving>[0], more: object = {}, options: object = {}) =>
  createTestRuntime({ tools: [behaving(run, more)] }).call("behave", {}, options);

describe("S3.ERR the result of a call is a value", () => {
  it("S3.ERR a success has value and text, and throws nothing", async () => {
    expect(await call(() => ({ n: 1 }))).toMatchObject({
      ok: true,
      tool: "behave",
      value: { n: 1 },
      text: '{"n":1}',
      content: [{ type: "text", text: '{"n":1}' }],
      changes: [],
      warnings: [],
      preview: false,
      terminate: false,
    });
  });

  it("S3.ERR a ToolError keeps code, hint, details and next", async () => {
    const result = await call(() => {
      throw new ToolError("NO_WORDS", "nothing in it", {
        hint: "Try another.",
        details: { path: "a" },
        next: { tool: "behave", args: { n: 2 } },
      });
    });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "NO_WORDS", message: "nothing in it", hint: "Try another.", details: { path: "a" } },
      text: 'NO_WORDS: nothing in it\nTry another.\nNext: behave {"n":2}',
    });
  });

  it.each([
    [new Error("boom"), "boom"],
    [new Error(""), "The tool failed without saying why"],
    ["a string", "a string"],
    [undefined, "undefined"],
    [null, "null"],
    [42n, "42"],
    [Symbol("s"), "Symbol(s)"],
    [Object.create(null), "a value that cannot be displayed"],
    [
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("trap");
          },
        },
      ),
      "trap",
    ],
  ])("S3.ERR anything else that is thrown is an EXECUTION_ERROR (%#)", async (thrown, message) => {
    const result = await call(() => {
      throw thrown;
    });
    expect(result).toMatchObject({ ok: false, error: { code: "EXECUTION_ERROR" } });
    if (message !== "trap") expect(result).toMatchObject({ error: { message } });
    expect(result.text).not.toContain("\n    at ");
  });

  it.each(["W\u001b[31m\nOK: all fine", "", "two words", "A".repeat(200)])(
    "S3.ERR a code that is not an identifier becomes EXECUTION_ERROR (%#)",
    async (code) => {
      const result = await call(() => {
        throw new ToolError(code, "the reason");
      });
      expect(result).toMatchObject({ error: { code: "EXECUTION_ERROR", message: "the reason" } });
    },
  );

  it("an error loses only the parts that cannot be serialized", async () => {
    const details: Record<string, unknown> = { n: 1n };
    details.self = details;
    const result = await call(() => {
      throw new ToolError("ODD", "odd", { details, next: { tool: "x", args: details } });
    });
    expect(result).toMatchObject({ ok: false, error: { code: "ODD", message: "odd" } });
    expect(() => JSON.stringify(result)).not.toThrow();
  });

  it("a value that does not match its output schema is INTERNAL", async () => {
    for (const value of [{ n: "1" }, {}, undefined, null, { n: 1, more: 2 }])
      expect(await call(() => value)).toMatchObject({ ok: false, error: { code: "INTERNAL" } });
  });

  it("handles a tool that does not return a promise, or throws synchronously", async () => {
    class Rude {
      run(): never {
        throw new Error("at once");
      }
    }
    const definition = toolDefinition({
      name: "rude",
      summary: "Rude.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({}),
    });
    tool(definition)(Rude as never);
    const runtime = createTestRuntime({ tools: [Rude as never] });
    expect(await runtime.call("rude")).toMatchObject({
      error: { code: "EXECUTION_ERROR", message: "at once" },
    });
  });

  it("a result that cannot be rendered is still a success", async () => {
    const render = () => {
      throw new Error("no words");
    };
    const result = await call(() => ({ n: 1 }), { render });
    expect(result).toMatchObject({ ok: true, value: { n: 1 } });
    expect(result.text).toContain('{"n":1}');
    expect(result.text).toContain("no words");
    const showsFiles = () => {
      throw new Error("no files");
    };
    expect(await call(() => ({ n: 1 }), { showsFiles })).toMatchObject({ ok: true });
  });
});

describe("S1.C6 time and cancellation", () => {
  it("S1.C6 a call returns in time although its tool ignores the signal", async () => {
    const result = await call(() => new Promise(() => {}), {}, { timeoutMs: 40 });
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    expect(result.durationMs).toBeLessThan(2_000);
  });

  it("S1.C6 the definition's limit applies if the call has none; a huge one is no limit", async () => {
    expect(await call(() => new Promise(() => {}), { timeoutMs: 30 })).toMatchObject({
      error: { code: "TIMEOUT" },
    });
    expect(await call(() => ({ n: 1 }), { timeoutMs: 1e12 })).toMatchObject({ ok: true });
    const slow = () => new Promise((resolve) => setTimeout(() => resolve({ n: 1 }), 20));
    expect(await call(slow, {}, { timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({ ok: true });
  });

  it("the signal carries the reason, and the remaining time is known", async () => {
    let reason: unknown;
    let left = 0;
    const Wait = defineTool({
      name: "wait",
      summary: "Wait.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({}),
      run: (_args, { signal, remainingMs }) => {
        left = remainingMs();
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(signal.reason);
          });
        });
      },
    });
    const runtime = createTestRuntime({ tools: [Wait] });
    const caller = new AbortController();
    const pending = runtime.call("wait", {}, { signal: caller.signal, timeoutMs: 5_000 });
    await new Promise((resolve) => setTimeout(resolve, 10));
    caller.abort(new Error("enough"));
    expect(await pending).toMatchObject({ error: { code: "CANCELLED" } });
    expect(ToolError.is(reason)).toBe(true);
    expect((reason as Error).cause).toMatchObject({ message: "enough" });
    expect(left).toBeGreaterThan(4_000);
    expect(left).toBeLessThanOrEqual(5_000);
  });

  it("closing a runtime cancels running calls and refuses new ones", async () => {
    const disposed: string[] = [];
    const SERVICE = token("test.disposable", () => ({ dispose: () => disposed.push("made here") }));
    const PROVIDED = token<{ dispose(): void }>("test.provided");
    const definition = toolDefinition({
      name: "hang",
      summary: "Hang.",
      category: "read",
      permissions: [],
      input: s.object({}),
      output: s.object({}),
      inject: [SERVICE, PROVIDED],
    });
    class Hang {
      run(): Promise<never> {
        return new Promise(() => {});
      }
    }
    tool(definition)(Hang as never);
    const provided = { dispose: () => void disposed.push("the host's") };
    const runtime = createTestRuntime({ tools: [Hang as never], services: [[PROVIDED, provided]] });
    const pending = runtime.call("hang");
    await new Promise((resolve) => setTimeout(resolve, 10));
    await runtime.dispose();
    await runtime.dispose();
    expect(await pending).toMatchObject({ error: { code: "CANCELLED", message: "The runtime was closed" } });
    expect(await runtime.call("hang")).toMatchObject({ error: { code: "CANCELLED" } });
    expect(disposed).toEqual(["made here"]);
  });

  it("a call that waits for its turn to write can be cancelled", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const Slow = defineTool({
      name: "slow",
      summary: "Write slowly.",
      category: "write",
      permissions: ["CreateFiles"],
      approval: "auto",
      input: s.object({ name: s.string("File to create") }),
      output: s.object({}),
      run: async ({ name }, { workspace }) => {
        await gate;
        await workspace.createText(name, "x");
        return {};
      },
    });
    const runtime = createTestRuntime({ tools: [Slow] });
    const first = runtime.call("slow", { name: "first.txt" });
    const second = await runtime.call("slow", { name: "second.txt" }, { timeoutMs: 20 });
    expect(second).toMatchObject({ error: { code: "TIMEOUT" } });
    const third = runtime.call("slow", { name: "third.txt" });
    release();
    expect((await Promise.all([first, third])).every(({ ok }) => ok)).toBe(true);
    expect(await runtime.workspaceFiles()).toEqual({ "first.txt": "x", "third.txt": "x" });
  });
});
