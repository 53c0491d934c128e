import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, type PolicyRule, s } from "../index.js";

const Show = defineTool({
  name: "show",
  summary: "Show.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File"), lines: s.integer("How many", { default: 10 }) }),
  run: async ({ path }, { workspace }) => workspace.readText(path),
});
const Pair = defineTool({
  name: "pair",
  summary: "Compare.",
  category: "read",
  permissions: ["ReadFiles"],
  input: s.object({ left: s.path("File"), right: s.path("File"), how: s.string("How") }),
  run: async () => "compared",
});

const COMPOSED = "caf\u00e9";
const DECOMPOSED = "cafe\u0301";
const files = {
  "a.txt": "a",
  "src/b.txt": "b",
  [`${COMPOSED}/x.txt`]: "composed",
  [`${DECOMPOSED}/x.txt`]: "decomposed",
};

async function codeOf(rule: PolicyRule, tool: string, args: object): Promise<string> {
  const runtime = createTestRuntime({ tools: [Show, Pair], files, rules: [rule] });
  const explained = await runtime.explain(tool, args);
  const result = await runtime.call(tool, args);
  expect(result.ok ? "allow" : "deny").toBe(explained.effect === "allow" ? "allow" : "deny");
  return result.ok ? "ok" : result.error.code;
}

describe("FE15 a rule on an argument that is a path", () => {
  const denied = (name: string, ...oneOf: unknown[]): PolicyRule => ({
    effect: "deny",
    when: { argument: { name, oneOf } },
  });

  it.each(["src/b.txt", "./src/b.txt", "src//b.txt", "src/../src/b.txt", "src/./b.txt", "SRC/B.txt"])(
    "denies it as %s too",
    async (path) => {
      expect(await codeOf(denied("path", "src/b.txt"), "show", { path })).toBe("POLICY_DENIED");
      expect(await codeOf(denied("path", "./src/b.txt"), "show", { path })).toBe("POLICY_DENIED");
    },
  );

  it("denies no other path, and no other argument of a tool with several", async () => {
    expect(await codeOf(denied("path", "src/b.txt"), "show", { path: "a.txt" })).toBe("ok");
    const rule = denied("left", "a.txt");
    expect(await codeOf(rule, "pair", { left: "src/b.txt", right: "a.txt", how: "x" })).toBe("ok");
    expect(await codeOf(rule, "pair", { left: "./a.txt", right: "src/b.txt", how: "x" })).toBe(
      "POLICY_DENIED",
    );
  });

  it("compares an argument that is no path as it is written", async () => {
    const args = { left: "a.txt", right: "a.txt", how: "./x" };
    expect(await codeOf(denied("how", "x"), "pair", args)).toBe("ok");
    expect(await codeOf(denied("how", "./x"), "pair", args)).toBe("POLICY_DENIED");
  });

  it("allows only what is written", async () => {
    const ask: PolicyRule = { effect: "ask", when: { path: "**" } };
    const allow: PolicyRule = { effect: "allow", when: { argument: { name: "path", oneOf: ["a.txt"] } } };
    const runtime = createTestRuntime({ tools: [Show], files, rules: [allow], policies: [] });
    expect((await runtime.explain("show", { path: "a.txt" })).decidedBy).toBe("configuration, rule 1");
    expect((await runtime.explain("show", { path: "./a.txt" })).decidedBy).toBe("reading is allowed");
    expect(await codeOf(ask, "show", { path: "a.txt" })).toBe("APPROVAL_REQUIRED");
  });
});

describe("FE15 a rule on complete arguments", () => {
  const denied: PolicyRule = { effect: "deny", tool: "show", when: { exactly: [{ path: "a.txt" }] } };

  it("holds for a call that leaves a parameter at its default, written or not", async () => {
    expect(await codeOf(denied, "show", { path: "a.txt" })).toBe("POLICY_DENIED");
    expect(await codeOf(denied, "show", { path: "a.txt", lines: 10 })).toBe("POLICY_DENIED");
    expect(await codeOf(denied, "show", { path: "a.txt", lines: 11 })).toBe("ok");
  });
});

describe("FE15 a rule on a path with an accent", () => {
  it.each([
    [COMPOSED, DECOMPOSED],
    [DECOMPOSED, COMPOSED],
  ])("denies both ways to write it (%j, %j)", async (written, other) => {
    const rule: PolicyRule = { effect: "deny", when: { path: `${written}/**` } };
    for (const folder of [written, other])
      expect(await codeOf(rule, "show", { path: `${folder}/x.txt` })).toBe("POLICY_DENIED");
    expect(await codeOf(rule, "show", { path: "a.txt" })).toBe("ok");
  });

  it("leaves out only what is written", async () => {
    const rule: PolicyRule = { effect: "deny", when: { path: { not: `${COMPOSED}/**` } } };
    expect(await codeOf(rule, "show", { path: `${COMPOSED}/x.txt` })).toBe("ok");
    expect(await codeOf(rule, "show", { path: `${DECOMPOSED}/x.txt` })).toBe("POLICY_DENIED");
  });
});

describe("FE15 rules by the thousand", () => {
  it("are refused if their patterns expand to more than anyone writes", () => {
    const rule = (index: number): PolicyRule => ({
      effect: "deny",
      when: { path: `${"{a,b}".repeat(9)}${index}` },
    });
    const rules = Array.from({ length: 9_000 }, (_, index) => rule(index));
    expect(() => createTestRuntime({ tools: [Show], rules })).toThrow(/expand to more than 20000 patterns/);
    expect(() => createTestRuntime({ tools: [Show], rules: rules.slice(0, 30) })).not.toThrow();
  });
});
