import { createTestRuntime, MemoryWorkspace, scriptedGate } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type AnyDefinition, defineTool, s, ToolError } from "../index.js";

const runner = (more: Pick<AnyDefinition, "whenStale"> = {}) =>
  defineTool({
    name: "runner",
    summary: "Run something that cannot be rehearsed.",
    category: "execute",
    permissions: ["ExecuteCommands", "WriteFiles"],
    input: s.object({}),
    output: s.object({ printed: s.string("What it printed") }),
    ...more,
    run: async (_, { workspace }) => {
      await workspace.writeText("a.txt", "mine");
      return { printed: "hello" };
    },
  });

async function callMeanwhile(tool: ReturnType<typeof runner>) {
  const workspace = new MemoryWorkspace({ "a.txt": "one" });
  const gate = scriptedGate(({ changes }) => {
    if (changes.length > 0) workspace.put("a.txt", "theirs");
    return true;
  });
  const result = await createTestRuntime({ tools: [tool], workspace, gate }).call("runner", {});
  return { result, files: workspace.dump() };
}

describe("a tool that has run when its files turn out to be changed", () => {
  it("P4 says itself what it came to, with what happened as the cause", async () => {
    const whenStale = (value: unknown, stale: ToolError) =>
      new ToolError("STALE_FILE", "changed meanwhile", { details: { value }, cause: stale });
    const { result, files } = await callMeanwhile(runner({ whenStale }));
    expect(result).toMatchObject({
      ok: false,
      error: { code: "STALE_FILE", message: "changed meanwhile", details: { value: { printed: "hello" } } },
    });
    expect(files).toEqual({ "a.txt": "644 theirs" });
  });

  it("P4 fails with what happened where it does not", async () => {
    const { result, files } = await callMeanwhile(runner());
    expect(result).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
    expect(files).toEqual({ "a.txt": "644 theirs" });
  });
});
