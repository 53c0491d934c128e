import { MemoryWorkspace } from "@haft/testing";
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as copyA from "./index.js";
import { createToolRuntime } from "./kernel.js";
import type { WorkspaceCreator } from "./workspace.js";

/** Imports the same source through a second module graph, as a nested node_modules would. */
let copyB: typeof copyA;

beforeAll(async () => {
  vi.resetModules();
  copyB = await import("./index.js");
});

describe("two copies of core work together", () => {
  it("the copies are separate modules", () => {
    expect(copyB.ToolError).not.toBe(copyA.ToolError);
    expect(new copyB.ToolError("X", "x")).not.toBeInstanceOf(copyA.ToolError);
  });

  it("they recognize each other's errors", () => {
    expect(copyA.ToolError.is(new copyB.ToolError("X", "x"))).toBe(true);
    expect(copyB.ToolError.is(new copyA.ToolError("X", "x"))).toBe(true);
    expect(copyA.ToolError.is(new Error("x"))).toBe(false);
    expect(copyA.ToolError.is({ code: "X", name: "ToolError" })).toBe(false);
  });

  it("S1.C7 a tool from one runs in the other, with services of either, and fails with its code", async () => {
    const { s } = copyB;
    const tokenA = copyA.token<string>("test.shared");
    const definition = copyB.toolDefinition({
      name: "from_b",
      summary: "Made by copy B.",
      category: "write",
      permissions: ["CreateFiles"],
      approval: "auto",
      input: s.object({ fail: s.boolean("Fail", { default: false }) }),
      output: s.object({ service: s.string("Service") }),
      inject: [copyB.token<string>("test.shared")],
      errors: ["FROM_B"],
    });
    class FromB {
      constructor(readonly service: string) {}
      async run({ fail }: { fail: boolean }, { workspace }: copyB_Context) {
        if (fail) throw new copyB.ToolError("FROM_B", "on purpose", { hint: "a hint" });
        await workspace.createText("b.txt", "from b");
        return { service: this.service };
      }
    }
    copyB.tool(definition)(FromB);
    expect(copyA.catalog.snapshot()).toContain(FromB);
    expect(copyA.definitionOf(FromB)).toBe(definition);
    const workspace = new MemoryWorkspace();
    const runtime = createToolRuntime({
      role: { name: "r", permissions: ["CreateFiles"] },
      tools: [FromB],
      workspace,
      services: [[tokenA, "from a"]],
    });
    expect(await runtime.call("from_b")).toMatchObject({ ok: true, value: { service: "from a" } });
    expect(workspace.dump()).toEqual({ "b.txt": "644 from b" });
    expect(await runtime.call("from_b", { fail: true })).toMatchObject({
      ok: false,
      error: { code: "FROM_B", hint: "a hint" },
    });
  });
});

type copyB_Context = { workspace: WorkspaceCreator };
