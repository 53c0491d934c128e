import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalAnswer, type ApprovalRequest, defineTool, s } from "../index.js";
import { memoryAuditStore } from "../memory/index.js";
import { type AuditStore, isDecision } from "../stores.js";

const Write = defineTool({
  name: "write",
  summary: "Write a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: ({ args }) => (args.content === "harmless\n" ? "auto" : "confirm"),
  input: s.object({ path: s.path("File"), content: s.string("Content") }),
  output: s.object({}),
  run: async ({ path, content }, { workspace }) => {
    await workspace.writeText(path, content);
    return {};
  },
});

function answering(...given: (ApprovalAnswer | AuditStore)[]) {
  const answers = given.filter((one): one is ApprovalAnswer => "approved" in one);
  const audit = given.find((one): one is AuditStore => "append" in one);
  const asked: ApprovalRequest[] = [];
  const runtime = createTestRuntime({
    tools: [Write],
    files: { "a.txt": "old\n" },
    ...(audit !== undefined && { audit }),
    approver: async (request) => {
      asked.push(request);
      return answers[asked.length - 1] ?? { approved: false };
    },
  });
  return { runtime, asked, call: () => runtime.call("write", { path: "a.txt", content: "new\n" }) };
}

const edited = (content: string): ApprovalAnswer => ({
  approved: true,
  modifiedArgs: { path: "a.txt", content },
  showAgain: true,
});

describe("FE10 changed arguments that a person wants to see again", () => {
  it.each(["mine\n", "harmless\n"])("are rehearsed, shown and asked about: %j", async (content) => {
    const { runtime, asked, call } = answering(edited(content), { approved: true });
    expect(await call()).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    expect(asked[1]?.changes[0]?.diff).toContain(`+${content}`);
    expect(asked[1]?.stepId).not.toBe(asked[0]?.stepId);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": content });
  });

  it("are not applied after a denial", async () => {
    const { runtime, asked, call } = answering(edited("mine\n"), { approved: false });
    expect(await call()).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(asked).toHaveLength(2);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("run at once for an approver that does not request it", async () => {
    const { runtime, asked, call } = answering({
      approved: true,
      modifiedArgs: { path: "a.txt", content: "mine\n" },
    });
    expect(await call()).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "mine\n" });
  });

  it.each([
    ["unchanged", { path: "a.txt", content: "new\n" }, "the arguments were not changed"],
    ["left out", undefined, "the arguments were not changed"],
    ["emptied", null, "the arguments were not changed"],
  ])("FE10 unchanged arguments return to the question: %s", async (_what, modifiedArgs, reason) => {
    const again = { approved: true, modifiedArgs, showAgain: true };
    const { runtime, asked, call } = answering(again, { approved: false });
    expect(await call()).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({ args: { path: "a.txt", content: "new\n" } });
    expect(asked[1]?.reason).toContain(`asked again because`);
    expect(asked[1]?.reason).toContain(reason);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("FE10 a form that returns the same arguments twice approves the second time", async () => {
    const form = { ...edited("mine\n"), showAgain: "if-changed" } as const;
    const { runtime, asked, call } = answering(form, form);
    expect(await call()).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "mine\n" });
  });

  it("FE10 an approver that edits endlessly is stopped", async () => {
    const again = { approved: true, showAgain: true };
    const { runtime, call } = answering(...Array(100).fill(again));
    expect(await call()).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "old\n" });
  });

  it("FE10 an edit is not recorded as an approval", async () => {
    const audit = memoryAuditStore();
    const { call } = answering(edited("mine\n"), { approved: true }, audit);
    await call();
    expect((await audit.list()).filter(isDecision)).toMatchObject([
      { verdict: "deny", args: { content: "new\n" }, modifiedArgs: { content: "mine\n" } },
      { verdict: "allow", args: { content: "mine\n" } },
    ]);
  });
});

describe("FE10 once a tool has run", () => {
  const Code = defineTool({
    name: "code",
    summary: "Run code.",
    category: "execute",
    permissions: ["RunCode"],
    alsoUses: ["WriteFiles", "CreateFiles"],
    approval: ({ changes }) => (changes.length > 0 ? "confirm" : "auto"),
    input: s.object({ code: s.string("Code") }),
    output: s.object({}),
    run: async ({ code }, { workspace }) => {
      await workspace.writeText("a.txt", code);
      return {};
    },
  });

  it("the request says so, and an edit returns to the request", async () => {
    const answers: ApprovalAnswer[] = [
      { approved: true, modifiedArgs: { code: "other" }, showAgain: true },
      { approved: true },
    ];
    const approver = scriptedApprover(answers);
    const runtime = createTestRuntime({ tools: [Code], files: { "a.txt": "old\n" }, approver });
    expect(await runtime.call("code", { code: "mine" })).toMatchObject({ ok: true, warnings: [] });
    expect(approver.requests).toMatchObject([
      { hasRun: true },
      { hasRun: true, reason: expect.stringContaining("can no longer be changed") },
    ]);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "mine" });
  });
});
