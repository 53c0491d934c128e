import { describe, expect, it } from "vitest";
import { type PolicyRule, s } from "../index.js";
import { replayDecisions, suggestRules } from "../policy.js";
import type { AuditRecord } from "../stores.js";

const record = (more: object): AuditRecord =>
  ({
    tool: "run",
    role: "r",
    callId: "1",
    args: { command: "npm test" },
    changes: [],
    paths: [],
    effect: "ask",
    because: "it asks",
    verdict: "allow",
    decider: { how: "person" },
    ...more,
  }) as unknown as AuditRecord;
const modify = (path: string, more: object = {}) =>
  record({ tool: "edit", args: {}, changes: [{ kind: "modify", path }], paths: [path], ...more });

describe("suggestRules", () => {
  it("never suggests more than was approved", () => {
    const { rules, asked, covered } = suggestRules([
      record({}),
      record({}),
      record({ args: { command: "npm run lint" } }),
      modify("src/a[1].ts"),
      record({ args: { command: "x".repeat(2000) } }),
      record({ args: { command: "echo [secret:TOKEN]" } }),
      record({ args: { command: "by rule" }, effect: "allow", decider: { how: "rule" } }),
      record({ args: { command: "denied" }, verdict: "deny" }),
      modify(".git/hooks/x", { rule: "protected paths" }),
    ]);
    expect({ asked, covered }).toEqual({ asked: 6, covered: 4 });
    expect(rules).toHaveLength(2);
    const effects = (one: AuditRecord) => replayDecisions([one], rules).map(({ after }) => after);
    expect(effects(record({}))).toEqual(["allow"]);
    expect(effects(record({ args: { command: "npm test", env: { A: "b" } } }))).toEqual([]);
    expect(effects(record({ args: { command: "npm test --force" } }))).toEqual([]);
    expect(effects(modify("src/a[1].ts"))).toEqual(["allow"]);
    expect(effects(modify("src/a1.ts"))).toEqual([]);
    expect(effects(modify("deep/src/a[1].ts"))).toEqual([]);
  });

  it("lists the custom roles of its rules, so that a configuration can name them", () => {
    const { rules, roles } = suggestRules([modify("a"), modify("b", { role: "coder" })]);
    expect(rules.map(({ role }) => role)).toEqual(["r", "coder"]);
    expect(roles).toEqual(["r"]);
  });

  it("suggests no rule for a call that a policy denied", () => {
    const denied = modify("a", { effect: "deny", verdict: "deny", decider: { how: "rule" }, rule: "cedar" });
    expect(suggestRules([modify("a"), denied])).toMatchObject({ rules: [] });
  });

  it("suggests no rule that would have allowed a denied call", () => {
    expect(suggestRules([modify("a"), modify("a", { verdict: "deny" })])).toEqual({
      rules: [],
      roles: [],
      asked: 1,
      covered: 0,
    });
  });
});

describe("replayDecisions", () => {
  it("reports calls that a rule decided and that none decides any more", () => {
    const decided = record({ effect: "deny", verdict: "deny", rule: "configuration, rule 1" });
    expect(replayDecisions([decided], [])).toMatchObject([{ before: "deny", after: "proposal" }]);
    expect(replayDecisions([record({ rule: "the tool's own proposal" })], [])).toEqual([]);
  });

  it.each(["secret placeholders", "cedar", "policies[0]"])(
    "FE9 rules do not lift what a guard or a policy denied: %s",
    (rule) => {
      const denied = record({ effect: "deny", verdict: "deny", rule });
      const asked = record({ rule });
      expect(replayDecisions([denied, asked], [{ effect: "allow", tool: "run" }])).toEqual([]);
      expect(replayDecisions([denied, asked], [{ effect: "deny", tool: "run" }])).toMatchObject([
        { before: "ask", after: "deny" },
      ]);
    },
  );

  it.each(["role coder, rule 1", "the tool's own proposal", undefined])(
    "FE9 rules replace what a rule or a default decided: %s",
    (rule) => {
      const asked = record(rule === undefined ? {} : { rule });
      expect(replayDecisions([asked], [{ effect: "allow", tool: "run" }])).toMatchObject([
        { after: "allow" },
      ]);
    },
  );

  it("FE15 a rule on an argument meets every spelling of a path, as it does in a call", () => {
    const asked = record({ rule: "the tool's own proposal", args: { path: "./A.txt" }, paths: ["A.txt"] });
    const input = s.object({ path: s.path("File") });
    const rules: PolicyRule[] = [{ effect: "deny", when: { argument: { name: "path", oneOf: ["a.txt"] } } }];
    const tool = { name: asked.tool, category: "write" as const, permissions: [], input };
    expect(replayDecisions([asked], rules, [tool])).toMatchObject([{ after: "deny" }]);
  });
});
