import { createTestRuntime, scriptedGate } from "@haft/testing";
import { describe, expect, it } from "vitest";
import {
  type ApprovalPolicy,
  allowReadOnly,
  type CallFacts,
  decide,
  defineTool,
  firstOpinion,
  type PolicyRule,
  proposedByTool,
  type Role,
  restrictedBy,
  rulePolicy,
  s,
  strictest,
} from "../index.js";

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
const facts = (more: Partial<CallFacts> = {}): CallFacts => ({
  callId: "1",
  definition: Read.definition,
  args: { path: "a" },
  changes: [],
  role: { name: "r", permissions: ALL },
  ...more,
});

function openWith(role: Partial<Role>, more: object = {}) {
  const gate = scriptedGate(false);
  return {
    gate,
    runtime: createTestRuntime({
      tools: [Read, Move],
      files,
      gate,
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

  it("firstOpinion takes the first that has one, strictest the strictest", () => {
    expect(firstOpinion(none, ask, allow)(facts())?.effect).toBe("ask");
    expect(firstOpinion(none)(facts())).toBeUndefined();
    for (const order of [
      [allow, none, deny, ask],
      [deny, allow],
      [ask, deny],
    ])
      expect(strictest(...order)(facts())?.effect).toBe("deny");
    expect(strictest(allow, ask)(facts())?.effect).toBe("ask");
    expect(strictest(none)(facts())).toBeUndefined();
  });

  it("restrictedBy lets a policy deny more, and never lift what the restriction says", () => {
    const told = (restriction: ApprovalPolicy, policy: ApprovalPolicy) =>
      restrictedBy(restriction, policy)(facts())?.effect;
    for (const policy of [allow, ask, deny, none]) expect(told(deny, policy)).toBe("deny");
    expect([allow, ask, deny, none].map((policy) => told(ask, policy))).toEqual([
      "ask",
      "ask",
      "deny",
      "ask",
    ]);
    expect([allow, ask, deny, none].map((policy) => told(none, policy))).toEqual([
      "allow",
      "ask",
      "deny",
      undefined,
    ]);
  });

  it("no opinion, or a failure, means ask", () => {
    expect(decide(none, facts())).toEqual({ effect: "ask", because: "no rule allows it" });
    const broken = () => {
      throw "a string";
    };
    expect(decide(broken, facts())).toEqual({ effect: "ask", because: "the policy failed (a string)" });
  });

  it("reading is free, the rest is as the tool proposes; a tool that says nothing is asked about", () => {
    expect(allowReadOnly(facts())?.effect).toBe("allow");
    expect(allowReadOnly(facts({ definition: Move.definition }))).toBeUndefined();
    expect(proposedByTool(facts({ definition: Move.definition }))?.effect).toBe("allow");
    expect(proposedByTool(facts())).toBeUndefined();
  });
});

describe("tools.md 14 rules", () => {
  const effect = (rules: readonly PolicyRule[], more: Partial<CallFacts> = {}) =>
    rulePolicy(rules)(facts(more))?.effect;

  it("match by tool, category, permission, path and argument; all that is given must match", () => {
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

  it("the strictest wins, whatever the order; a rule says why", () => {
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

  it("a rule on a path holds for every way to write the path", async () => {
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

  it("both ends of a move are touched", async () => {
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
  it("deny and ask whatever the host's policy says", async () => {
    const policy = () => ({ effect: "allow", because: "anything goes" }) as const;
    const denying = openWith({ rules: [{ tool: "read", effect: "deny" }] }, { policy });
    expect(await denying.runtime.call("read", { path: "open.txt" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
    const asking = openWith({ rules: [{ tool: "read", effect: "ask" }] }, { policy });
    await asking.runtime.call("read", { path: "open.txt" });
    expect(asking.gate.requests).toHaveLength(1);
    const broken = () => {
      throw new Error("broken");
    };
    const stillDenying = openWith({ rules: [{ tool: "read", effect: "deny" }] }, { policy: broken });
    expect(await stillDenying.runtime.call("read", { path: "open.txt" })).toMatchObject({
      error: { code: "POLICY_DENIED" },
    });
  });

  it("cannot lift what the host denies, and allow only where the host says nothing", async () => {
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
    expect(trusted.gate.requests).toEqual([]);
  });

  it("that cannot be read are seen when the runtime is made", () => {
    expect(() => openWith({ rules: [{ effect: "perhaps" as never }] })).toThrow(/allow, ask or deny/);
  });
});
