import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type ApprovalPolicy, defineTool, s, type ToolEvent } from "../index.js";
import { namedPolicy, strictest } from "../policy.js";

const Put = defineTool({
  name: "put",
  summary: "Write a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  approval: "auto",
  input: s.object({ path: s.path("File") }),
  output: s.object({}),
  run: async ({ path }, { workspace }) => {
    await workspace.writeText(path, "written");
    return {};
  },
});

const open = (policies: readonly unknown[], more: object = {}) =>
  createTestRuntime({ tools: [Put], approver: scriptedApprover(true), policies: policies as never, ...more });
const failures = (events: readonly ToolEvent[]) => events.filter(({ type }) => type === "policy-failed");

class Odd {
  get effect(): never {
    throw new Error("no effect");
  }
}
const circular: Record<string, unknown> = {};
circular.self = circular;

describe("FE12 a result that is not an opinion denies", () => {
  it.each<[string, unknown]>([
    ["a misspelt effect", { effect: "Deny", because: "x" }],
    ["a string", "deny"],
    ["another string", "allow"],
    ["true", true],
    ["a number", 0],
    ["null", null],
    ["a list", []],
    ["an empty object", {}],
    ["a reason that is not text", { effect: "allow", because: 1 }],
    ["a name that is not text", { effect: "allow", because: "x", by: 1 }],
    ["an unknown verdict", { effect: "allow", because: "x", verdict: "Box" }],
    ["a verdict that contradicts the effect", { effect: "ask", because: "x", verdict: "box" }],
    ["a function", () => ({ effect: "allow", because: "x" })],
    ["a circular object", circular],
    ["an object that throws", new Odd()],
    ["an inherited name", { effect: "toString", because: "x" }],
  ])("%s", async (_title, answer) => {
    for (const given of [() => answer, async () => answer]) {
      const runtime = open([namedPolicy("corporate", given as ApprovalPolicy)]);
      const result = await runtime.call("put", { path: "a.txt" });
      expect(result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
      expect(result.text).toContain("corporate");
      expect(await runtime.workspaceFiles()).toEqual({});
      expect(failures(runtime.events)[0]).toMatchObject({ policy: "corporate", tool: "put" });
      expect((await runtime.explain("put", { path: "a.txt" })).effect).toBe("deny");
    }
  });

  it("an opinion is used as it was when it was checked", async () => {
    for (const later of ["allow", "Deny", undefined]) {
      let reads = 0;
      const changing = {
        get effect() {
          reads += 1;
          return reads === 1 ? "deny" : later;
        },
        because: "closed",
      };
      const runtime = open([namedPolicy("changing", (() => changing) as never)]);
      expect(await runtime.call("put", { path: "a.txt" })).toMatchObject({
        error: { code: "POLICY_DENIED" },
      });
      expect(await runtime.workspaceFiles()).toEqual({});
    }
  });

  it("a policy that throws or rejects denies", async () => {
    const throwing = () => {
      throw new Error("no connection");
    };
    const rejecting = async () => throwing();
    for (const policy of [throwing, rejecting]) {
      const runtime = open([policy]);
      const { text } = await runtime.call("put", { path: "a.txt" });
      expect(text).toContain("failed (no connection)");
      expect(failures(runtime.events)[0]).toMatchObject({ policy: policy.name });
    }
  });

  it("a promise of a denial denies, and a promise of a permission allows", async () => {
    const promises = (effect: string) => [async () => ({ effect, because: "asked a server" })];
    expect(await open(promises("deny")).call("put", { path: "a" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    const approver = scriptedApprover(true);
    expect(await open(promises("allow"), { approver }).call("put", { path: "a" })).toMatchObject({
      ok: true,
    });
    expect(approver.requests).toEqual([]);
    await open(promises("ask"), { approver }).call("put", { path: "a" });
    expect(approver.requests).toMatchObject([{ reason: "asked a server" }]);
  });

  it("holds inside a combination of policies too", async () => {
    const wrong = () => ({ effect: "Deny", because: "x" }) as never;
    const allow = () => ({ effect: "allow", because: "x" }) as const;
    const runtime = open([strictest(allow, wrong)]);
    expect(await runtime.call("put", { path: "a" })).toMatchObject({ error: { code: "POLICY_DENIED" } });
  });

  it("a policy that never answers ends with the call", async () => {
    const silent: ApprovalPolicy = () => new Promise(() => {});
    const result = await open([silent]).call("put", { path: "a" }, { timeoutMs: 50 });
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
  });

  it("a policy that is not a function is an error when the runtime is created", () => {
    expect(() => open(["deny"])).toThrow("policies[0] must be a function, not string");
  });
});

describe("FE15 a host adds policies and cannot lose the built-in ones", () => {
  const allowAll: ApprovalPolicy = () => ({ effect: "allow", because: "anything goes" });

  it("protected paths still ask", async () => {
    const approver = scriptedApprover(false);
    const guards = { protected: (path: string) => path === "hook" };
    for (const option of [{ policies: [allowAll] }, { policy: allowAll }])
      await open([], { approver, guards, ...option }).call("put", { path: "hook" });
    expect(approver.requests.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("hook is protected"),
      expect.stringContaining("hook is protected"),
    ]);
  });

  it("a policy cannot change what the tool may do", async () => {
    const policy = namedPolicy("changing", (({ definition }: { definition: { permissions: string[] } }) => {
      definition.permissions.length = 0;
    }) as never);
    const denied = await open([policy]).call("put", { path: "a.txt" });
    expect(denied).toMatchObject({ error: { code: "POLICY_DENIED" } });
    expect(await open([]).call("put", { path: "a.txt" })).toMatchObject({ ok: true });
  });

  it("policies that are not a list are an error at start", () => {
    for (const policies of [allowAll, "deny", {}])
      expect(() => open(policies as never)).toThrow("policies must be a list of functions");
  });

  it("a denial wins in any position", async () => {
    const deny: ApprovalPolicy = async () => ({ effect: "deny", because: "closed" });
    for (const policies of [
      [allowAll, deny],
      [deny, allowAll],
    ])
      expect(await open(policies).call("put", { path: "a" })).toMatchObject({
        error: { code: "POLICY_DENIED" },
      });
  });

  it("a host that composes its own policy decides which parts count", async () => {
    const runtime = open([allowAll], {
      role: {
        name: "r",
        permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
        rules: [{ effect: "deny" }],
      },
      composition: ({ policies }: { policies: readonly ApprovalPolicy[] }) => strictest(...policies),
    });
    expect(await runtime.call("put", { path: "a" })).toMatchObject({ ok: true });
  });
});
