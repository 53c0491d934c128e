import { createHash } from "node:crypto";
import { createTestRuntime, describeAuditContract, scriptedApprover } from "@haft/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type ApprovalPolicy, defineTool, redactStrings, s } from "../index.js";
import { memoryAuditStore } from "../memory/index.js";
import { rulePolicy } from "../policy.js";
import { type AuditRecord, type AuditStore, chainRecord, isDecision, verifyChain } from "../stores.js";

describeAuditContract("memory", async () => ({
  store: memoryAuditStore(),
  [Symbol.asyncDispose]: async () => {},
}));

const Put = defineTool({
  name: "put",
  summary: "Write a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  input: s.object({ path: s.path("File to write"), content: s.string("What to write") }),
  output: s.object({ path: s.string("The file") }),
  approval: "confirm",
  run: async ({ path, content }, { workspace }) => {
    await workspace.writeText(path, content);
    return { path };
  },
});

const Look = defineTool({
  name: "look",
  summary: "Read a file.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File to read") }),
  output: s.object({ text: s.string("The text") }),
  run: async ({ path }, { workspace }) => ({ text: await workspace.readText(path) }),
});

function open(parts: Partial<Parameters<typeof createTestRuntime>[0]> = {}) {
  const audit = memoryAuditStore();
  const runtime = createTestRuntime({ tools: [Put, Look], files: { "a.txt": "old" }, audit, ...parts });
  return { runtime, audit };
}

const put = { path: "a.txt", content: "new" };

describe("S13 the record of a decision", () => {
  it("a person's approval: who, how, what was shown and what it changes", async () => {
    const approver = scriptedApprover({ approved: true, by: { how: "person", who: "ann" } });
    const { runtime, audit } = open({ approver });
    await runtime.call("put", put, { callId: "c1" });
    const [asked] = approver.requests;
    expect((await audit.list()).filter(isDecision)).toMatchObject([
      {
        callId: "c1",
        tool: "put",
        role: "tester",
        args: put,
        changes: [{ kind: "modify", path: "a.txt" }],
        effect: "ask",
        verdict: "allow",
        decider: { how: "person", who: "ann" },
        approvalId: asked?.stepId,
        plan: asked?.planDigest,
        shown: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it("a rejection with its feedback, and a missing approver", async () => {
    const { runtime, audit } = open({ approver: scriptedApprover({ approved: false, feedback: "why?" }) });
    await runtime.call("put", put);
    expect(await audit.list()).toMatchObject([
      { verdict: "deny", decider: { how: "person" }, feedback: "why?" },
    ]);
    const alone = open();
    await alone.runtime.call("put", put);
    expect(await alone.audit.list()).toMatchObject([
      { effect: "ask", verdict: "deny", decider: { how: "none" } },
    ]);
  });

  it("a call that is cancelled while its approval is pending", async () => {
    const cancel = new AbortController();
    const approver = async () => {
      cancel.abort(new Error("the caller left"));
      return new Promise<never>(() => {});
    };
    const { runtime, audit } = open({ approver });
    expect(await runtime.call("put", put, { signal: cancel.signal })).toMatchObject({ ok: false });
    expect(await audit.list()).toMatchObject([
      {
        effect: "ask",
        verdict: "deny",
        decider: { how: "none" },
        feedback: expect.stringMatching(/^not decided/),
      },
    ]);
  });

  it("rules that allow or deny, by name; a grant by its id", async () => {
    const allowed = open({ policy: rulePolicy([{ tool: "put", effect: "allow", reason: "it may" }]) });
    await allowed.runtime.call("put", put);
    expect((await allowed.audit.list()).filter(isDecision)).toMatchObject([
      { effect: "allow", verdict: "allow", because: "it may", decider: { how: "rule" } },
    ]);
    const denied = open({ policy: rulePolicy([{ tool: "put", effect: "deny", reason: "it may not" }]) });
    await denied.runtime.call("put", put);
    expect(await denied.audit.list()).toMatchObject([
      { effect: "deny", verdict: "deny", because: "it may not" },
    ]);
    const match = { tool: "put", role: "tester" };
    const granted = open({ grants: { covering: async () => ({ id: "g1", label: "put", match }) } });
    await granted.runtime.call("put", put);
    expect((await granted.audit.list()).filter(isDecision)).toMatchObject([
      { verdict: "allow", decider: { how: "grant", who: "g1" } },
    ]);
  });

  it("the outcome, duration and changes of an allowed call, after its decision", async () => {
    const { runtime, audit } = open({ approver: scriptedApprover({ approved: true }) });
    const result = await runtime.call("put", put, { callId: "c1" });
    await runtime.dispose();
    const records = await audit.list();
    expect(records).toMatchObject([
      { seq: 1, callId: "c1", args: put },
      {
        seq: 2,
        callId: "c1",
        args: {},
        changes: [{ kind: "modify", path: "a.txt" }],
        decider: { how: "person" },
        approvalId: records[0]?.approvalId,
        outcome: { status: "ok", durationMs: Math.round(result.durationMs) },
      },
    ]);
    expect(await audit.verify()).toEqual({ intact: true, records: 2 });
  });

  it("a call that fails or is cancelled after its approval: the error code; a denied call has no outcome", async () => {
    const approver = scriptedApprover({ approved: true, modifiedArgs: { path: 7 } });
    const failing = open({ approver });
    const result = await failing.runtime.call("put", put);
    expect(result.ok).toBe(false);
    await failing.runtime.dispose();
    const code = result.ok ? "" : result.error.code;
    expect((await failing.audit.list()).at(-1)).toMatchObject({ outcome: { status: "error", code } });
    const denied = open({ approver: scriptedApprover({ approved: false }) });
    await denied.runtime.call("put", put);
    await denied.runtime.dispose();
    expect((await denied.audit.list()).filter((record) => !isDecision(record))).toEqual([]);
  });

  it("edited arguments are recorded beside the original ones; secrets and long values are not", async () => {
    const edited = { path: "a.txt", content: `hunter2 ${"x".repeat(5000)}` };
    const { runtime, audit } = open({
      approver: scriptedApprover({ approved: true, modifiedArgs: edited }),
      redact: redactStrings((text) => text.replaceAll("hunter2", "[secret]")),
    });
    await runtime.call("put", { path: "a.txt", content: "hunter2" });
    const [record] = (await audit.list()) as readonly [AuditRecord];
    expect(record.args).toEqual({ path: "a.txt", content: "[secret]" });
    expect(record.modifiedArgs).toMatchObject({
      content: expect.stringMatching(/^\[secret\] x+ …\[\+4\d+ chars\]$/),
    });
    expect(JSON.stringify(record)).not.toContain("hunter2");
  });

  it("does not record reads, dry runs, and calls that change nothing", async () => {
    const { runtime, audit } = open({ approver: scriptedApprover(true) });
    await runtime.call("look", { path: "a.txt" });
    await runtime.call("put", put, { dryRun: true });
    await runtime.call("put", { path: "a.txt", content: "old" });
    expect(await audit.list()).toEqual([]);
  });

  it("names the caller in the decision, in the outcome, and to the policy", async () => {
    const asked: unknown[] = [];
    const policy: ApprovalPolicy = ({ principal }) => {
      asked.push(principal);
      return { effect: "ask", because: "it asks" };
    };
    const { runtime, audit } = open({ approver: scriptedApprover(true), policy });
    await runtime.call("put", put, { callId: "c1", principal: "bot" });
    await runtime.call("put", { ...put, content: "newer" }, { callId: "c2" });
    await vi.waitFor(async () => expect(await audit.list()).toHaveLength(4));
    const told = (await audit.list()).map(({ callId, principal }) => `${callId} ${principal}`);
    expect(told).toEqual(["c1 bot", "c1 bot", "c2 undefined", "c2 undefined"]);
    expect(new Set(asked)).toEqual(new Set(["bot", undefined]));
  });

  it("a call that a policy allows starts when its record is stored, and not if that fails", async () => {
    const store = memoryAuditStore();
    const steps: string[] = [];
    let fails = false;
    const slow: AuditStore = {
      ...store,
      append: async (entry) => {
        const step = isDecision(entry) ? "decision" : "outcome";
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (fails) throw new Error("no space");
        steps.push(step);
        return store.append(entry);
      },
    };
    const Runs = defineTool({
      name: "runs",
      summary: "Run something.",
      permissions: ["ExecuteCommands"],
      input: s.object({}),
      approval: "auto",
      run: async () => {
        steps.push("effect");
        return {};
      },
    });
    const policy: ApprovalPolicy = () => ({ effect: "allow", because: "it may" });
    const { runtime } = open({ audit: slow, tools: [Put, Runs], policy });
    for (const [tool, args] of [["put", put] as const, ["runs", {}] as const]) {
      steps.length = 0;
      const beforeStart = async () => void steps.push("announced");
      expect(await runtime.call(tool, args, { beforeStart })).toMatchObject({ ok: true });
      expect(steps.slice(0, 2).sort()).toEqual(["announced", "decision"]);
      if (tool === "runs") expect(steps[2]).toBe("effect");
      await vi.waitFor(() => expect(steps).toContain("outcome"));
    }
    fails = true;
    steps.length = 0;
    expect(await runtime.call("put", { ...put, content: "third" })).toMatchObject({ ok: false });
    expect(await runtime.call("runs", {})).toMatchObject({ ok: false });
    expect(steps).toEqual([]);
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "new" });
  });

  it("a call whose approval cannot be recorded does not run; a denial stands", async () => {
    const broken = { ...memoryAuditStore(), append: () => Promise.reject(new Error("no space")) };
    const { runtime } = open({ audit: broken, approver: scriptedApprover([true, false]) });
    expect(await runtime.call("put", put)).toMatchObject({ ok: false });
    expect(await runtime.call("put", put)).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "old" });
  });
});

const DECISION = {
  at: "2026-01-01T00:00:00.000Z",
  tool: "put",
  role: "coder",
  args: { path: "a" },
  changes: [],
  paths: [],
  effect: "ask",
  because: "it asks",
  verdict: "deny",
  decider: { how: "person" },
} as const;

describe("S13 the hash chain", () => {
  it("a hash function of the host gives the same records as the kernel's own", async () => {
    const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary", maxLength: 200 }), { maxLength: 4 }),
        async (ids) => {
          const own = memoryAuditStore();
          let head: AuditRecord | undefined;
          for (const callId of ids) {
            const record = await own.append({ ...DECISION, callId });
            head = chainRecord({ ...DECISION, callId }, head, hash);
            expect(head).toEqual(record);
          }
          expect(await own.verify()).toMatchObject({ intact: true });
        },
      ),
      { numRuns: 20 },
    );
  });

  it("detects any changed, removed or swapped record", async () => {
    const audit = memoryAuditStore();
    for (const callId of ["1", "2", "3", "4", "5"]) await audit.append({ ...DECISION, callId });
    const records = await audit.list();
    const head = records.at(-1) as AuditRecord;
    expect(verifyChain(records, head)).toMatchObject({ intact: true, records: 5 });
    const at = fc.nat(4);
    const tampering = fc.oneof(
      at.map((index) =>
        records.map((each, i) => (i === index ? { ...each, verdict: "allow" as const } : each)),
      ),
      at.map((index) => records.filter((_, i) => i !== index)),
      fc.tuple(at, at).map(([one, other]) => swapped(records, one, other)),
    );
    await fc.assert(
      fc.asyncProperty(tampering, async (changed) => {
        fc.pre(JSON.stringify(changed) !== JSON.stringify(records));
        expect(verifyChain(changed, head)).toMatchObject({ intact: false });
      }),
    );
  });
});

function swapped(records: readonly AuditRecord[], one: number, other: number): readonly AuditRecord[] {
  const copy = [...records];
  [copy[one], copy[other]] = [copy[other] as AuditRecord, copy[one] as AuditRecord];
  return copy;
}
