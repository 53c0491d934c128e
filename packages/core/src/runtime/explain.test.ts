import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, redactStrings, s } from "../index.js";

const Write = defineTool({
  name: "write",
  summary: "Write.",
  category: "write",
  permissions: ["WriteFiles", "CreateFiles"],
  approval: ({ changes }) => (changes.every(({ kind }) => kind === "create") ? "auto" : "confirm"),
  needsRead: true,
  input: s.object({ path: s.path("File"), content: s.string("Text") }),
  output: s.object({}),
  run: async ({ path, content }, { workspace }) => {
    if (path === "broken") throw new Error("it broke");
    await workspace.writeText(path, content);
    return {};
  },
});

const Command = defineTool({
  name: "command",
  summary: "Run.",
  category: "execute",
  permissions: ["ExecuteCommands"],
  input: s.object({}),
  output: s.object({}),
  run: async () => {
    throw new Error("must not run");
  },
});

const open = (more: object = {}) =>
  createTestRuntime({ tools: [Write, Command], files: { "a.txt": "old" }, ...more });
const checks = ({ steps }: { steps: readonly { check: string; passed: boolean }[] }) =>
  steps.map(({ check, passed }) => `${check}: ${passed}`);

describe("explain: the check that decides a call, and why", () => {
  it("allow: every step passed, and the expected changes", async () => {
    const runtime = open();
    const explained = await runtime.explain("write", { path: "new.txt", content: "x" });
    expect(explained).toMatchObject({ effect: "allow", changes: [{ kind: "create", path: "new.txt" }] });
    expect(checks(explained)).toEqual([
      "tool and role: true",
      "arguments: true",
      "rehearsal: true",
      "policy: true",
    ]);
    expect(explained.steps[3]?.because).toContain("allow: write proposes");
    expect(await runtime.workspaceFiles()).toEqual({ "a.txt": "old" });
    expect(runtime.events).toEqual([]);
  });

  it("ask: whether an approver is attached", async () => {
    const args = { path: "a.txt", content: "x" };
    const approver = scriptedApprover(true);
    const asked = await open({ approver }).explain("write", args);
    expect(asked.effect).toBe("ask");
    expect(asked.steps.at(-1)).toEqual({
      check: "approver",
      passed: true,
      because: "a person would be asked",
    });
    const nobody = await open().explain("write", args);
    expect(nobody.steps.at(-1)).toMatchObject({ check: "approver", passed: false });
    expect(approver.requests).toEqual([]);
  });

  it("deny: the step that refuses", async () => {
    const runtime = open();
    const unknown = await runtime.explain("nothing");
    expect(checks(unknown)).toEqual(["tool and role: false"]);
    expect(unknown.steps[0]).toMatchObject({ code: "TOOL_NOT_FOUND" });
    expect(checks(await runtime.explain("write", {}))).toEqual(["tool and role: true", "arguments: false"]);
    const broken = await runtime.explain("write", { path: "broken", content: "" });
    expect(broken.steps.at(-1)).toMatchObject({
      check: "rehearsal",
      passed: false,
      because: "Error: it broke",
    });
    const unread = await open({ readBeforeWrite: "enforce" }).explain("write", {
      path: "a.txt",
      content: "x",
    });
    expect(unread).toMatchObject({ effect: "deny" });
    expect(unread.steps.at(-1)?.because).toContain("FILE_NOT_READ");
    const policy = () => ({ effect: "deny", because: "closed" }) as const;
    const denied = await open({ policy }).explain("write", { path: "new.txt", content: "x" });
    expect(denied.steps.at(-1)).toEqual({ check: "policy", passed: false, because: "deny: closed" });
  });

  it("denied files are neither opened nor quoted", async () => {
    const read: string[] = [];
    const Look = defineTool({
      name: "look",
      summary: "Look.",
      category: "write",
      permissions: ["ReadFiles", "WriteFiles"],
      output: s.object({}),
      input: s.object({ path: s.path("File"), also: s.optional(s.string("Another")) }),
      run: async ({ path, also }, { workspace }) => {
        read.push(path);
        throw new Error(`it says ${await workspace.readText(also ?? path)}`);
      },
    });
    const role = {
      name: "r",
      permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
      rules: [{ effect: "deny", when: { path: "private/**" }, reason: "nobody reads this" }],
    } as const;
    const files = { "private/a.txt": "inner", "b.txt": "outer" };
    const runtime = open({ tools: [Look], role, files });
    const named = await runtime.explain("look", { path: "private/a.txt" });
    expect(named.steps.at(-1)).toEqual({
      check: "policy",
      passed: false,
      because: "deny: nobody reads this",
    });
    expect(read).toEqual([]);
    const found = await runtime.explain("look", { path: "b.txt", also: "private/a.txt" });
    expect(found.steps.at(-1)).toMatchObject({ check: "rehearsal", passed: false });
    expect(JSON.stringify([named, found])).not.toContain("inner");
    expect(JSON.stringify(found)).toContain("nobody reads this");
  });

  it("does not run a tool that cannot be rehearsed", async () => {
    const explained = await open().explain("command");
    expect(explained).toMatchObject({ effect: "ask", changes: [] });
    // The effect of a command is unknown before it runs.
    expect(explained.steps[2]?.because).toBe("none is possible: its effect is known only when it runs");
    expect(
      (await open({ role: { name: "r", permissions: [] } }).explain("command")).steps[0]?.because,
    ).toContain("PERMISSION_DENIED");
  });

  it("contains no secrets, in diffs or in error messages", async () => {
    const redact = redactStrings((text) => text.split("hunter2").join("[redacted]"));
    const files = { "a.txt": "hunter2" };
    const shown = await open({ redact, files }).explain("write", { path: "a.txt", content: "x" });
    expect(shown.changes[0]?.diff).toContain("[redacted]");
    const Broken = defineTool({
      ...Write.definition,
      name: "broken",
      run: async () => {
        throw new Error("it held hunter2");
      },
    });
    const failed = await open({ redact, tools: [Broken] }).explain("broken", { path: "a", content: "" });
    expect(failed.steps.at(-1)?.because).toBe("Error: it held [redacted]");
    expect(JSON.stringify([shown, failed])).not.toContain("hunter2");
  });
});
