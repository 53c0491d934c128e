import { createTestRuntime, MemoryWorkspace, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, type PolicyRule, s, ToolError } from "../index.js";

const editing = {
  summary: "Edit.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles"],
  output: s.object({}),
} as const;

const Edit = defineTool({
  ...editing,
  name: "edit",
  input: s.object({ path: s.path("File"), find: s.string("Old"), to: s.string("New") }),
  run: async ({ path, find, to }, { workspace }) => {
    const text = await workspace.readText(path);
    if (!text.includes(find)) throw new ToolError("NO_MATCH", `not found; nearest: ${text}`);
    await workspace.writeText(path, text.split(find).join(to));
    return {};
  },
});

/** A tool whose paths are inside a text, where no schema marks them. */
const Patch = defineTool({
  ...editing,
  name: "patch",
  input: s.object({ patch: s.string("path|old|new") }),
  run: async ({ patch }, { workspace }) => {
    const [path = "", find = "", to = ""] = patch.split("|");
    const text = await workspace.readText(path);
    if (!text.includes(find)) throw new ToolError("NO_MATCH", `not found; nearest: ${text}`);
    await workspace.writeText(path, text.split(find).join(to));
    return {};
  },
});

const rules: readonly PolicyRule[] = [{ effect: "deny", when: { path: "closed/**" } }];
const files = { "closed/a.txt": "the secret line\n", "open.txt": "the open line\n" };
const role = {
  name: "r",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "NetworkAccess"],
  rules,
} as const;
const open = (more: object = {}) =>
  createTestRuntime({ tools: [Edit, Patch], files, role, approver: scriptedApprover(true), ...more });

describe("denied files are not shown either", () => {
  it.each([
    ["edit", { path: "closed/a.txt", find: "secret", to: "x" }],
    ["edit", { path: "./closed//a.txt", find: "no such line", to: "x" }],
    ["patch", { patch: "closed/a.txt|secret|x" }],
    ["patch", { patch: "closed/a.txt|no such line|x" }],
  ])("%s %j: neither in a preview nor in an error message", async (tool, args) => {
    for (const dryRun of [true, false]) {
      const runtime = open();
      const result = await runtime.call(tool, args, { dryRun });
      expect(result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
      expect(JSON.stringify(result)).not.toContain("the secret");
      expect(runtime.events.map(({ type }) => type)).toEqual(["requested", "finished"]);
    }
  });

  it("other files are previewed and fail with their own errors", async () => {
    const runtime = open();
    const args = { path: "open.txt", find: "open", to: "x" };
    expect(await runtime.call("edit", args, { dryRun: true })).toMatchObject({ ok: true, preview: true });
    const missed = await runtime.call("patch", { patch: "open.txt|none|x" });
    expect(missed).toMatchObject({ ok: false, error: { code: "NO_MATCH" } });
    expect(missed.text).toContain("the open line");
  });

  it("a preview does not require files to be read first", async () => {
    const runtime = open({ readBeforeWrite: "enforce", dialect: "claude" });
    const args = { path: runtime.workspace.absolute("open.txt"), find: "open", to: "x" };
    expect(await runtime.call("edit", args, { dryRun: true })).toMatchObject({ ok: true });
  });
});

describe("a call whose changes are rejected after it ran reports that it ran", () => {
  const Download = defineTool({
    name: "download",
    summary: "Fetch into a file.",
    category: "web",
    permissions: ["NetworkAccess", "CreateFiles"],
    approval: ({ changes }) => (changes.length === 0 ? "auto" : "confirm"),
    input: s.object({}),
    output: s.object({}),
    run: async (_args, { workspace }) => {
      await workspace.createText("new.txt", "x");
      return {};
    },
  });
  const answers = [
    ["APPROVAL_DENIED", scriptedApprover(false)],
    ["APPROVAL_TIMEOUT", scriptedApprover({ approved: false, failure: "timeout" })],
    ["PLAN_STALE", scriptedApprover({ approved: false, failure: "stale" })],
    ["APPROVAL_DENIED", scriptedApprover({ approved: true, modifiedArgs: {} })],
    ["APPROVAL_REQUIRED", undefined],
  ] as const;
  it.each(answers)("%s", async (code, approver) => {
    const runtime = createTestRuntime({ tools: [Download], role, ...(approver && { approver }) });
    const result = await runtime.call("download", {});
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(result.text).toContain("It has run; its file changes were not applied.");
    expect(result.text).not.toMatch(/nothing was done/i);
    expect(await runtime.workspaceFiles()).toEqual({});
  });

  it("POLICY_DENIED", async () => {
    const denying = { ...role, rules: [{ effect: "deny", when: { path: "new.txt" } }] } as const;
    const result = await createTestRuntime({ tools: [Download], role: denying }).call("download", {});
    expect(result).toMatchObject({ ok: false, error: { code: "POLICY_DENIED" } });
    expect(result.text).toContain("It has run; its file changes were not applied.");
  });
});

describe("the order of a call's events", () => {
  it("a call that starts over and then prompts has not emitted started before", async () => {
    const workspace = new MemoryWorkspace(files);
    let isFirst = false;
    const Interfered = defineTool({
      ...editing,
      name: "interfered",
      approval: () => {
        isFirst = !isFirst;
        if (isFirst) workspace.put("open.txt", "theirs");
        return isFirst ? "auto" : "confirm";
      },
      input: s.object({}),
      run: async (_args, context) => {
        await context.workspace.writeText("open.txt", `${await context.workspace.readText("open.txt")}+`);
        return {};
      },
    });
    const plain = { name: "r", permissions: role.permissions };
    const runtime = open({ tools: [Interfered], workspace, role: plain });
    expect(await runtime.call("interfered", {})).toMatchObject({ ok: true });
    expect(await workspace.readText("open.txt")).toBe("theirs+");
    expect(runtime.events.map(({ type }) => type)).toEqual([
      "requested",
      "approval-requested",
      "approval-answered",
      "started",
      "file-changed",
      "finished",
    ]);
  });
});
