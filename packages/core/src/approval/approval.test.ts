import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type Approver, defineTool, s, ToolError } from "../index.js";
import { rulePolicy } from "../policy.js";

const Put = defineTool({
  name: "put",
  summary: "Write a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  input: s.object({
    path: s.path("File to write"),
    content: s.string("What to write"),
    dry_run: s.boolean("Only show it", { default: false }),
  }),
  output: s.object({ path: s.string("The file") }),
  approval: "confirm",
  previewOnly: ({ dry_run }) => dry_run,
  run: async ({ path, content }, { workspace }) => {
    await workspace.writeText(path, content);
    return { path };
  },
});

const args = { path: "a.txt", content: "new" };
const files = { "a.txt": "old" };

async function callWith(approver: Approver | undefined, more: object = {}) {
  const runtime = createTestRuntime({ tools: [Put], files, ...(approver && { approver }), ...more });
  const result = await runtime.call("put", args);
  return { result, runtime, files: await runtime.workspaceFiles() };
}

describe("S3.APPR approval", () => {
  it("S3.APPR an approved call runs; the request shows the rehearsed changes", async () => {
    const approver = scriptedApprover(true);
    const { result, files } = await callWith(approver);
    expect(result).toMatchObject({ ok: true, value: { path: "a.txt" }, preview: false });
    expect(files).toEqual({ "a.txt": "new" });
    expect(approver.requests).toHaveLength(1);
    expect(approver.requests[0]).toMatchObject({
      tool: "put",
      role: "tester",
      args: { ...args, dry_run: false },
      risk: "medium",
      reason: "it would modify a.txt",
    });
    expect(approver.requests[0]?.changes[0]?.diff).toContain("-old\n");
    expect(approver.requests[0]?.changes[0]?.diff).toContain("+new\n");
    expect(approver.requests[0]?.stepId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("the fields of a denial have no effect where the result is shown", async () => {
    const { result } = await callWith(
      scriptedApprover({ approved: false, feedback: "no\x1b[2J\u202e\x9b\nreally" }),
    );
    expect(result.text).toContain(": no\\x1b[2J\\u202e\\x9b\nreally");
    expect(JSON.stringify(result)).not.toMatch(/[\x9b\u202e]|\\u001b/);
  });

  it("S3.APPR deny: nothing happens, and the model learns why", async () => {
    const { result, files } = await callWith(
      scriptedApprover({ approved: false, feedback: "not this file" }),
    );
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(result.text).toContain("not this file");
    expect(result.text).toContain("Do not retry");
    expect(files).toEqual({ "a.txt": "old" });
  });

  it("no approver: APPROVAL_REQUIRED, and nothing is written", async () => {
    const { result, files } = await callWith(undefined);
    expect(result).toMatchObject({
      ok: false,
      error: { code: "APPROVAL_REQUIRED", details: { changes: [{ kind: "modify", path: "a.txt" }] } },
    });
    expect(files).toEqual({ "a.txt": "old" });
  });

  it.each([1, "true", "yes", {}, [], null, undefined, new Boolean(true)])(
    "only approved === true approves, not %o",
    async (approved) => {
      const { result, files } = await callWith(scriptedApprover({ approved } as never));
      expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
      expect(files).toEqual({ "a.txt": "old" });
    },
  );

  it.each([undefined, null, "approved", true, 1])("an invalid answer denies: %o", async (answer) => {
    const { result, files } = await callWith(async () => answer as never);
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(files).toEqual({ "a.txt": "old" });
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("broken"))],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["throws a value that cannot be displayed", () => Promise.reject(Object.create(null))],
  ])("an approver that %s denies, and the result names the failure", async (_how, ask) => {
    const { result, runtime, files } = await callWith(ask);
    expect(result).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(result.text).toMatch(/the approver failed \((broken|a value that cannot be displayed)/);
    expect(runtime.events.map(({ type }) => type)).toEqual([
      "requested",
      "approval-requested",
      "approval-answered",
      "finished",
    ]);
    expect(files).toEqual({ "a.txt": "old" });
  });

  it("reports a ToolError of the approver unchanged", async () => {
    const { result } = await callWith(() =>
      Promise.reject(new ToolError("APPROVAL_REQUIRED", "no way to ask")),
    );
    expect(result).toMatchObject({
      ok: false,
      error: { code: "APPROVAL_REQUIRED", message: "no way to ask" },
    });
  });

  it.each([
    ["timeout", "APPROVAL_TIMEOUT"],
    ["stale", "PLAN_STALE"],
  ] as const)("an approver that returns %s: %s", async (failure, code) => {
    const { result } = await callWith(scriptedApprover({ approved: false, failure }));
    expect(result).toMatchObject({ ok: false, error: { code } });
  });

  it("FE12 a policy that throws or returns an invalid opinion denies; one without an opinion leaves the question", async () => {
    const broken = [
      () => {
        throw new Error("typo");
      },
      () => ({ effect: "maybe", because: "?" }) as never,
    ];
    for (const policy of broken) {
      const approver = scriptedApprover(true);
      expect((await callWith(approver, { policy })).result).toMatchObject({
        error: { code: "POLICY_DENIED" },
      });
      expect(approver.requests).toEqual([]);
    }
    const approver = scriptedApprover(true);
    expect((await callWith(approver, { policy: () => undefined })).result.ok).toBe(true);
    expect(approver.requests).toHaveLength(1);
  });

  it("a policy that denies does not prompt", async () => {
    const approver = scriptedApprover(true);
    const policy = rulePolicy([{ tool: "put", effect: "deny", reason: "this folder is finished" }]);
    const { result, files } = await callWith(approver, { policy });
    expect(result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    expect(result.text).toContain("this folder is finished");
    expect(approver.requests).toEqual([]);
    expect(files).toEqual({ "a.txt": "old" });
  });
});

describe("S3.APPR while an approval is pending", () => {
  it("pauses the deadline", async () => {
    const approver = scriptedApprover(async () => {
      await new Promise((resolve) => setTimeout(resolve, 120));
      return true;
    });
    const runtime = createTestRuntime({ tools: [Put], files, approver });
    expect(await runtime.call("put", args, { timeoutMs: 60 })).toMatchObject({ ok: true });
  });

  it("answers a cancelled call at once, and a late approval changes nothing", async () => {
    let approveLate = (_answer: boolean): void => {};
    const late = new Promise<boolean>((resolve) => {
      approveLate = resolve;
    });
    const runtime = createTestRuntime({ tools: [Put], files, approver: scriptedApprover(() => late) });
    const caller = new AbortController();
    const call = runtime.call("put", args, { signal: caller.signal });
    setTimeout(() => caller.abort(), 20);
    const result = await call;
    expect(result).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    expect(result.durationMs).toBeLessThan(2_000);
    approveLate(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await runtime.workspaceFiles()).toEqual(files);
    expect(runtime.events.at(-1)?.type).toBe("finished");
    expect(runtime.events.map(({ type }) => type)).toContain("approval-answered");
  });

  it("other calls may write; each waits for its own answer", async () => {
    const approver = scriptedApprover(async ({ args }) => {
      await new Promise((resolve) => setTimeout(resolve, args.path === "slow.txt" ? 60 : 1));
      return true;
    });
    const runtime = createTestRuntime({ tools: [Put], files, approver });
    const order: string[] = [];
    await Promise.all(
      ["slow.txt", "fast.txt"].map(async (path) => {
        expect((await runtime.call("put", { path, content: "x" })).ok).toBe(true);
        order.push(path);
      }),
    );
    expect(order).toEqual(["fast.txt", "slow.txt"]);
  });
});

describe("S3.APPR modifiedArgs", () => {
  const modify = (modifiedArgs: unknown) => scriptedApprover({ approved: true, modifiedArgs });

  it("run instead, and the model is told", async () => {
    const { result, files } = await callWith(modify({ path: "b.txt", content: "human" }));
    expect(result).toMatchObject({ ok: true, value: { path: "b.txt" } });
    expect(result.text).toContain('changed by the user: path = "b.txt", content = "human"');
    expect(files).toEqual({ "a.txt": "old", "b.txt": "human" });
  });

  it("are validated like any others", async () => {
    for (const wrong of [
      { path: 1, content: "x" },
      { path: "b.txt" },
      "not json",
      [],
      { ...args, extra: 1 },
    ]) {
      const { result, files } = await callWith(modify(wrong));
      expect(result).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENTS" } });
      expect(files).toEqual({ "a.txt": "old" });
    }
  });

  it("do not override a denial and cannot leave the workspace", async () => {
    const policy = rulePolicy([{ effect: "ask" }, { effect: "deny", when: { path: "secret/**" } }]);
    const denied = await callWith(modify({ path: "secret/x", content: "x" }), { policy });
    expect(denied.result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    const outside = await callWith(modify({ path: "../x", content: "x" }), { policy });
    expect(outside.result).toMatchObject({ ok: false, error: { code: "INVALID_PATH" } });
    expect(outside.files).toEqual({ "a.txt": "old" });
  });

  it("that request a dry run only preview", async () => {
    const { result, files } = await callWith(modify({ ...args, dry_run: true }));
    expect(result).toMatchObject({ ok: true, preview: true });
    expect(files).toEqual({ "a.txt": "old" });
  });

  it("that equal the original change nothing", async () => {
    const { result, files } = await callWith(modify({ ...args }));
    expect(result.warnings).toEqual([]);
    expect(files).toEqual({ "a.txt": "new" });
  });

  it("work for a tool that cannot be rehearsed", async () => {
    const Say = defineTool({
      name: "say",
      summary: "Run something.",
      category: "execute",
      permissions: ["ExecuteCommands"],
      input: s.object({ word: s.string("Word") }),
      output: s.object({ said: s.string("Word") }),
      run: async ({ word }) => ({ said: word }),
    });
    const approver = modify({ word: "hush" });
    const policy = rulePolicy([
      { effect: "ask" },
      { effect: "deny", when: { argument: { name: "word", oneOf: ["no"] } } },
    ]);
    const runtime = createTestRuntime({ tools: [Say], approver, policy });
    expect(await runtime.call("say", { word: "hello" })).toMatchObject({ ok: true, value: { said: "hush" } });
    expect(approver.requests[0]).toMatchObject({ risk: "high", changes: [] });
    const denied = createTestRuntime({ tools: [Say], approver: modify({ word: "no" }), policy });
    expect(await denied.call("say", { word: "hello" })).toMatchObject({ error: { code: "POLICY_DENIED" } });
  });
});
