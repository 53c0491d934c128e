import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import {
  type ApprovalPolicy,
  defineTool,
  type PolicyRequest,
  type PolicyRule,
  type Role,
  s,
} from "../index.js";
import { allowReadOnly, decide, firstOpinion, proposedByTool, rulePolicy, strictest } from "../policy.js";

const Read = defineTool({
  name: "read",
  summary: "Read.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File"), also: s.array("More files", s.path("File"), { default: [] }) }),
  output: s.object({ text: s.string("Text") }),
  run: async ({ path }, { workspace }) => ({ text: await workspace.readText(path) }),
});

const Move = defineTool({
  name: "move",
  summary: "Move.",
  category: "manage",
  permissions: ["WriteFiles", "CreateFiles"],
  approval: "auto",
  input: s.object({ from: s.string("From"), to: s.string("To") }),
  output: s.object({}),
  run: async ({ from, to }, { workspace }) => {
    await workspace.move(from, to);
    return {};
  },
});

const ALL = ["ReadFiles", "WriteFiles", "CreateFiles"] as const;
const files = { "secret/key.txt": "k", "open.txt": "o", link: { link: "secret" }, "src/a.ts": "a" };
const facts = (more: Partial<PolicyRequest> = {}): PolicyRequest => ({
  callId: "1",
  definition: Read.definition,
  args: { path: "a" },
  changes: [],
  role: { name: "r", permissions: ALL },
  ...more,
});

function openWith(role: Partial<Role>, more: object = {}) {
  const approver = scriptedApprover(false);
  return {
    approver,
    runtime: createTestRuntime({
      tools: [Read, Move],
      files,
      approver,
      role: { name: "r", permissions: ALL, ...role },
      ...more,
    }),
  };
}

describe("policies", () => {
  const allow = () => ({ effect: "allow", because: "a" }) as const;
  const ask = () => ({ effect: "ask", because: "b" }) as const;
  const deny = () => ({ effect: "deny", because: "c" }) as const;
  const none = () => undefined;

  const later = (policy: ApprovalPolicy) => async (request: PolicyRequest) => policy(request);
  const effectOf = async (policy: ApprovalPolicy) => (await policy(facts()))?.effect;

  it("firstOpinion returns the first opinion, strictest the strictest; some may be async", async () => {
    expect(await effectOf(firstOpinion(none, ask, allow))).toBe("ask");
    expect(await effectOf(firstOpinion(later(none), later(ask), allow))).toBe("ask");
    expect(firstOpinion(none)(facts())).toBeUndefined();
    for (const order of [
      [allow, none, deny, ask],
      [deny, allow],
      [ask, deny],
      [later(deny), allow],
      [deny, later(allow)],
      [ask, later(none), later(deny)],
    ])
      expect(await effectOf(strictest(...order))).toBe("deny");
    expect(await effectOf(strictest(allow, ask))).toBe("ask");
    expect(strictest(none)(facts())).toBeUndefined();
  });

  it("sync policies decide at once", () => {
    expect(decide(strictest(firstOpinion(none, allow), none), facts())).toMatchObject({ effect: "allow" });
  });

  it("no opinion means ask", () => {
    expect(decide(none, facts())).toEqual({
      effect: "ask",
      because: "no rule allows it",
      by: "default",
      isFallback: true,
    });
  });

  it("reading is allowed, other calls follow the tool's proposal; without a proposal they need approval", () => {
    expect(allowReadOnly(facts())?.effect).toBe("allow");
    expect(allowReadOnly(facts({ definition: Move.definition }))).toBeUndefined();
    expect(proposedByTool(facts({ definition: Move.definition }))).toMatchObject({ effect: "allow" });
    expect(proposedByTool(facts())).toBeUndefined();
  });
});

describe("tools.md 14 rules", () => {
  const effect = (rules: readonly PolicyRule[], more: Partial<PolicyRequest> = {}) =>
    rulePolicy(rules)(facts(more))?.effect;

  it("match by tool, category, permission, path and argument; every given part must match", () => {
    expect(effect([{ tool: "read", effect: "deny" }])).toBe("deny");
    expect(effect([{ tool: "other", effect: "deny" }])).toBeUndefined();
    expect(effect([{ category: "read", effect: "ask" }])).toBe("ask");
    expect(effect([{ category: "web", effect: "ask" }])).toBeUndefined();
    expect(effect([{ permission: "ReadFiles", effect: "ask" }])).toBe("ask");
    expect(effect([{ permission: "RunCode", effect: "ask" }])).toBeUndefined();
    const argument = { name: "path", oneOf: ["a", "b"] };
    expect(effect([{ effect: "deny", when: { argument } }])).toBe("deny");
    expect(
      effect([{ effect: "deny", when: { argument: { ...argument, name: "toString" } } }]),
    ).toBeUndefined();
    expect(effect([{ effect: "deny", when: { argument: { name: "path", oneOf: ["c"] } } }])).toBeUndefined();
    expect(effect([{ tool: "read", category: "web", effect: "deny" }])).toBeUndefined();
  });

  it("the strictest opinion wins in any order; a rule gives its reason", () => {
    expect(effect([{ effect: "allow" }, { effect: "deny" }, { effect: "ask" }])).toBe("deny");
    expect(rulePolicy([{ effect: "deny", reason: "never" }])(facts())?.because).toBe("never");
    expect(rulePolicy([{ effect: "deny", when: { path: "a" } }])(facts())?.because).toBe(
      "a rule says deny for any tool on a",
    );
    expect(() => rulePolicy([{ effect: "maybe" as never }])).toThrow(/allow, ask or deny/);
  });

  it("to allow, every path must match; to deny, one is enough", () => {
    const paths = { args: { path: "src/a", also: ["lib/b"] } };
    expect(effect([{ effect: "allow", when: { path: "src/**" } }], paths)).toBeUndefined();
    expect(effect([{ effect: "allow", when: { path: "{src,lib}/**" } }], paths)).toBe("allow");
    expect(effect([{ effect: "deny", when: { path: "lib/**" } }], paths)).toBe("deny");
    expect(effect([{ effect: "allow", when: { path: "**" } }], { args: {} })).toBeUndefined();
  });

  it("a rule on a path holds for every spelling of the path", async () => {
    const { runtime } = openWith({ rules: [{ effect: "deny", when: { path: "secret/**" } }] });
    for (const path of [
      "secret/key.txt",
      "./secret/key.txt",
      "secret//key.txt",
      "secret/./key.txt",
      "/workspace/secret/key.txt",
      "link/key.txt",
      "/workspace/link/key.txt",
    ])
      expect(await runtime.call("read", { path })).toMatchObject({ error: { code: "POLICY_DENIED" } });
    expect(await runtime.call("read", { path: "open.txt" })).toMatchObject({ ok: true });
    expect(await runtime.call("read", { path: "open.txt", also: ["link/key.txt"] })).toMatchObject({
      ok: false,
    });
    expect(await runtime.call("read", { path: "../x" })).toMatchObject({ error: { code: "INVALID_PATH" } });
  });

  it("a move touches both of its paths", async () => {
    const { runtime } = openWith({ rules: [{ effect: "deny", when: { path: "src/**" } }] });
    expect(await runtime.call("move", { from: "src/a.ts", to: "b.ts" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    expect(await runtime.call("move", { from: "open.txt", to: "src/b.ts" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    expect(await runtime.call("move", { from: "open.txt", to: "b.ts" })).toMatchObject({ ok: true });
  });
});

describe("a role's own rules", () => {
  it("FE15 deny and ask under every policy of the host", async () => {
    const policy = () => ({ effect: "allow", because: "anything goes" }) as const;
    const denying = openWith({ rules: [{ tool: "read", effect: "deny" }] }, { policy });
    expect(await denying.runtime.call("read", { path: "open.txt" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    const asking = openWith({ rules: [{ tool: "read", effect: "ask" }] }, { policy });
    await asking.runtime.call("read", { path: "open.txt" });
    expect(asking.approver.requests).toHaveLength(1);
    const broken = () => {
      throw new Error("broken");
    };
    const stillDenying = openWith({ rules: [{ tool: "read", effect: "deny" }] }, { policy: broken });
    expect(await stillDenying.runtime.call("read", { path: "open.txt" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
  });

  it("cannot override a denial of the host, and allow only where the host has no opinion", async () => {
    const rules: PolicyRule[] = [{ effect: "allow" }, { tool: "read", effect: "ask" }];
    const policy = () => ({ effect: "deny", because: "closed" }) as const;
    const closed = openWith({ rules }, { policy });
    expect(await closed.runtime.call("read", { path: "open.txt" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    const Confirm = defineTool({
      ...Move.definition,
      name: "careful",
      approval: "confirm",
      run: async (_args, { workspace }) => {
        await workspace.writeText("open.txt", "x");
        return {};
      },
    });
    const trusted = openWith({ rules: [{ tool: "careful", effect: "allow" }] }, { tools: [Confirm] });
    expect(await trusted.runtime.call("careful", { from: "a", to: "b" })).toMatchObject({ ok: true });
    expect(trusted.approver.requests).toEqual([]);
  });

  it("that cannot be parsed are errors when the runtime is created", () => {
    expect(() => openWith({ rules: [{ effect: "perhaps" as never }] })).toThrow(/allow, ask or deny/);
  });
});
