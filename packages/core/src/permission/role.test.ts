import { describe, expect, it } from "vitest";
import { narrowRole, type Role } from "../index.js";
import { mayUse, missingPermissions } from "../policy.js";

const parent: Role = {
  name: "parent",
  permissions: ["ReadFiles", "WriteFiles"],
  tools: ["read_file", "write_file"],
  rules: [{ effect: "deny", when: { path: "secret/**" } }],
};

describe("tools.md 14 the role of a child agent", () => {
  it("never holds more than its parent", () => {
    const child: Role = {
      name: "child",
      permissions: ["ReadFiles", "ExecuteCommands"],
      tools: ["read_file", "execute_command"],
      rules: [{ effect: "allow" }, { effect: "ask", tool: "read_file" }],
    };
    expect(narrowRole(parent, child)).toEqual({
      name: "child",
      permissions: ["ReadFiles"],
      tools: ["read_file"],
      rules: [
        { effect: "deny", when: { path: "secret/**" } },
        { effect: "ask", tool: "read_file" },
      ],
    });
  });

  it("FE15 keeps the rules that its parent has under its own name", () => {
    const rules = [
      { effect: "deny", role: "parent", tool: "write_file" },
      { effect: "deny", role: "other", tool: "read_file" },
    ] as const;
    const child: Role = { name: "child", permissions: ["ReadFiles"] };
    expect(narrowRole({ ...parent, rules }, child).rules).toEqual([
      { effect: "deny", tool: "write_file" },
      { effect: "deny", role: "other", tool: "read_file" },
    ]);
  });

  it("has the tools of whichever role names some", () => {
    const plain: Role = { name: "plain", permissions: ["ReadFiles"] };
    expect(narrowRole(plain, plain)).toEqual({ name: "plain", permissions: ["ReadFiles"], rules: [] });
    expect(narrowRole(parent, plain).tools).toEqual(parent.tools);
    expect(narrowRole(plain, parent).tools).toEqual(parent.tools);
  });

  it("may use a tool that it is allowed and has every permission for", () => {
    expect(mayUse(parent, { name: "read_file", permissions: ["ReadFiles"] })).toBe(true);
    expect(mayUse(parent, { name: "grep", permissions: ["ReadFiles"] })).toBe(false);
    expect(mayUse(parent, { name: "write_file", permissions: ["CreateFiles"] })).toBe(false);
    expect(missingPermissions(parent, ["ReadFiles", "RunCode", "x-own"])).toEqual(["RunCode", "x-own"]);
  });
});
