import { createTestRuntime, MemoryWorkspace, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type AnyDefinition, defineTool, s, ToolError } from "../index.js";

const runner = (more: Pick<AnyDefinition, "whenUnapplied"> = {}) =>
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
  const approver = scriptedApprover(({ changes }) => {
    if (changes.length > 0) workspace.put("a.txt", "theirs");
    return true;
  });
  const result = await createTestRuntime({ tools: [tool], workspace, approver }).call("runner", {});
  return { result, files: workspace.dump() };
}

describe("a tool that has run when its files turn out to be changed", () => {
  it("P4 may throw an error that carries its value", async () => {
    const whenUnapplied = (value: unknown, stale: ToolError) =>
      new ToolError("STALE_FILE", "changed meanwhile", { details: { value }, cause: stale });
    const { result, files } = await callMeanwhile(runner({ whenUnapplied }));
    expect(result).toMatchObject({
      ok: false,
      error: { code: "STALE_FILE", message: "changed meanwhile", details: { value: { printed: "hello" } } },
    });
    expect(files).toEqual({ "a.txt": "644 theirs" });
  });

  it("P4 fails with the original error otherwise", async () => {
    const { result, files } = await callMeanwhile(runner());
    expect(result).toMatchObject({ ok: false, error: { code: "STALE_FILE" } });
    expect(files).toEqual({ "a.txt": "644 theirs" });
  });
});

describe("a tool that has run when its file changes are refused", () => {
  const whenUnapplied = (value: unknown, failure: ToolError) =>
    new ToolError(failure.code, `${failure.message}; it came to ${JSON.stringify(value)}`, {
      cause: failure,
    });

  it.each([
    ["APPROVAL_DENIED", false],
    ["APPROVAL_TIMEOUT", { approved: false, failure: "timeout" }],
    ["PLAN_STALE", { approved: false, failure: "stale" }],
    ["APPROVAL_DENIED", { approved: true, modifiedArgs: {} }],
  ] as const)("reports its own value in the error: %s by %j", async (code, answer) => {
    const runtime = createTestRuntime({
      tools: [runner({ whenUnapplied })],
      files: { "a.txt": "one" },
      // The first question is about the call, the second about its changes.
      approver: scriptedApprover([true, answer]),
    });
    const result = await runtime.call("runner", {});
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(result.text).toContain('it came to {"printed":"hello"}');
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "one" });
  });

  it("returns no output if a rule denies the changes, because it may contain denied files", async () => {
    const role = {
      name: "r",
      permissions: ["ExecuteCommands", "WriteFiles"],
      rules: [{ effect: "deny", when: { path: "a.txt" } }],
    } as const;
    const runtime = createTestRuntime({
      tools: [runner({ whenUnapplied })],
      files: { "a.txt": "one" },
      role,
      approver: scriptedApprover(true),
    });
    const result = await runtime.call("runner", {});
    expect(result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    expect(result.text).toContain("It has run; its file changes were not applied.");
    expect(JSON.stringify(result)).not.toContain("hello");
  });
});
