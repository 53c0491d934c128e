import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, type PolicyRule, type Role, s } from "../index.js";
import { rulePolicy } from "../policy.js";

const look = defineTool({
  name: "look_up",
  summary: "Looks",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File") }),
  output: s.object({}),
  run: async () => ({}),
});
const role = (more: object = {}): Role => ({ name: "own", permissions: ["ReadFiles"], ...more });
const open = (options: object) => () =>
  createTestRuntime({ tools: [look], role: role(), ...options } as never);
const deny = (more: object): PolicyRule => ({ effect: "deny", ...more });

describe("FE15 an unknown name in a role or rule is an error when the runtime is created", () => {
  it.each<[string, PolicyRule, string]>([
    ["a role", deny({ role: "codr" }), 'there is no role "codr"'],
    ["a role like none", deny({ role: "gardener" }), 'there is no role "gardener"'],
    ["a tool", deny({ tool: "look_pu" }), 'there is no tool "look_pu"; did you mean "look_up"?'],
    [
      "a tool in the plural",
      deny({ tool: "look_ups" }),
      'there is no tool "look_ups"; did you mean "look_up"?',
    ],
    [
      "a tool in an example",
      deny({ matches: [{ tool: "lookup" }] }),
      'there is no tool "lookup"; did you mean',
    ],
    [
      "a tool that must not match",
      deny({ tool: "look_up", doesNotMatch: [{ tool: "lok_up" }] }),
      'there is no tool "lok_up"',
    ],
  ])("%s", (_what, rule, message) => {
    expect(open({ role: role({ rules: [rule] }) })).toThrow(`role own, rule 1: ${message}`);
    expect(open({ rules: [rule] })).toThrow(`configuration, rule 1: ${message}`);
    expect(open({ policies: [rulePolicy([rule])] })).toThrow(`policies[0], rule 1: ${message}`);
    expect(open({ policy: rulePolicy([rule]) })).toThrow(`policies[0], rule 1: ${message}`);
  });

  it("an error about a role names the nearest one, and where others are listed", () => {
    expect(open({ rules: [deny({ role: "codr" })] })).toThrow(
      'the roles are reader, editor, coder, researcher, admin, own. Did you mean "coder"? List further names in "roles".',
    );
  });

  it("checks a role's own permissions and tools", () => {
    expect(open({ role: role({ permissions: ["ReadFile"] }) })).toThrow(
      'role own: "ReadFile" is not a permission; did you mean "ReadFiles"?',
    );
    expect(open({ role: role({ tools: ["look-up"] }) })).toThrow('there is no tool "look-up"');
  });

  it.each<[string, object]>([
    ["the runtime's role and the built-in ones", { rules: [deny({ role: "own" }), deny({ role: "admin" })] }],
    ["a role that the host lists", { rules: [deny({ role: "gardener" })], roles: ["gardener"] }],
    ["a tool that is imported elsewhere", { rules: [deny({ tool: "look_in" })], imported: ["look_in"] }],
    ["a tool that is added later", { rules: [deny({ tool: "look_in" })], isAddedLater: () => true }],
    ["a tool whose name contains another's", { rules: [deny({ tool: "look_up_word" })] }],
    ["a tool whose name is part of another's", { rules: [deny({ tool: "look" })] }],
    ["a tool like none", { rules: [deny({ tool: "weather" })] }],
    ["a package's permission", { role: role({ permissions: ["x-mail"] }) }],
  ])("accepts %s", (_what, options) => {
    expect(open(options)).not.toThrow();
  });
});
