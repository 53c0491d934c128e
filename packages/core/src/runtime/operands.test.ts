import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalRequest, defineTool, type PolicyRule, s } from "../index.js";
import { MemoryWorkspace } from "../memory/index.js";

const ran: string[] = [];

/** A command tool of a host that changes no files. */
const Run = defineTool({
  name: "run",
  summary: "Run a script.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  approval: "confirm",
  inspect: ({ script }) => ({ operands: () => [script] }),
  input: s.object({ script: s.string("A script") }),
  output: s.json("Anything"),
  run: async ({ script }) => {
    ran.push(script);
    return null;
  },
});

async function open(rules: readonly PolicyRule[] = [], whileAsked?: () => Promise<void>) {
  const workspace = new MemoryWorkspace({ "a.sh": "echo 1" });
  const asked: ApprovalRequest[] = [];
  ran.length = 0;
  const runtime = createTestRuntime({
    tools: [Run],
    workspace,
    rules,
    approver: async (request) => {
      asked.push(request);
      await whileAsked?.();
      return { approved: true };
    },
  });
  const put = (content: string) => writeTo(workspace, content);
  return { runtime, asked, put };
}

async function writeTo(workspace: MemoryWorkspace, content: string): Promise<void> {
  const before = await workspace.snapshot("a.sh");
  const bytes = new TextEncoder().encode(content);
  const after = { type: "file", bytes, hash: workspace.hash(bytes), size: bytes.length, mode: 0o644 };
  await workspace.commit([{ kind: "modify", path: "a.sh", before, after } as never], {
    callId: "host",
    tool: "host",
  });
}

describe("files that a call depends on", () => {
  it("FE8 a file that changes during the prompt also stops a tool that changes no files", async () => {
    const world: Awaited<ReturnType<typeof open>> = await open([], () => world.put("echo 2"));
    expect(await world.runtime.call("run", { script: "a.sh" })).toMatchObject({
      ok: false,
      error: { code: "PLAN_STALE" },
    });
    expect(ran).toEqual([]);
  });

  it("a rule that names their content allows the call until one of them changes", async () => {
    const first = await open();
    await first.runtime.call("run", { script: "a.sh" });
    const operands = first.asked[0]?.operands ?? [];
    const { runtime, asked, put } = await open([{ effect: "allow", tool: "run", when: { operands } }]);
    expect(await runtime.call("run", { script: "a.sh" })).toMatchObject({ ok: true });
    expect(await runtime.explain("run", { script: "a.sh" })).toMatchObject({ effect: "allow" });
    expect(asked).toEqual([]);
    await put("echo 2");
    expect(await runtime.explain("run", { script: "a.sh" })).toMatchObject({ effect: "ask" });
    expect(await runtime.call("run", { script: "a.sh" })).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });
});
