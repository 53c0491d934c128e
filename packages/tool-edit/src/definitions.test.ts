import { ToolError } from "@haft/core";
import { createTestRuntime, MemoryWorkspace, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { ApplyPatch, Edit, EditLines, ReplaceInFile } from "./index.js";
import { editRuntime } from "./testing.fixture.js";

const tools = [ApplyPatch, Edit, EditLines, ReplaceInFile];

const CALLS: readonly [string, Record<string, unknown>][] = [
  ["edit", { path: "a.txt", old_string: "one", new_string: "1" }],
  [
    "edit_lines",
    { path: "a.txt", operation: "replace", start_line: 1, end_line: 1, content: "1", expected: "one" },
  ],
  ["replace_in_file", { path: "a.txt", find: "one", replace: "1" }],
  ["apply_patch", { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch" }],
];

const COUNTED: Readonly<Record<string, object>> = {
  edit: { replacements: 1, startLine: 1, endLine: 1 },
  edit_lines: { totalLines: 2, delta: 0 },
  replace_in_file: { replacements: 1, changed: true },
  apply_patch: { files: [{ path: "a.txt", kind: "modify" }] },
};

const files = { "a.txt": "one\ntwo\n" };

describe("the tools of the pack", () => {
  it.each(CALLS)("S1.C5 %s prompts, and changes nothing if it is denied", async (tool, args) => {
    const approver = scriptedApprover(false);
    const { runtime, text } = editRuntime(files, { approver });
    expect(runtime.tools().find(({ name }) => name === tool)).toMatchObject({ approval: "confirm" });
    expect(await runtime.call(tool, args)).toMatchObject({ ok: false, error: { code: "APPROVAL_DENIED" } });
    expect(approver.requests).toHaveLength(1);
    expect(await text("a.txt")).toBe(files["a.txt"]);
  });

  it.each(CALLS)("S1.I3 %s summarizes the change: its file, its counts and its diff", async (tool, args) => {
    const { runtime } = editRuntime(files);
    const result = await runtime.call(tool, args);
    const diff = expect.stringContaining("-one\n+1\n two");
    expect(result).toMatchObject({
      ok: true,
      value: { diff, ...COUNTED[tool] },
      changes: [{ path: "a.txt", kind: "modify", diff }],
    });
    expect(result.text).toContain("a.txt");
    expect(result.text).toContain("-one\n+1\n two");
  });

  it.each(CALLS)("S1.I3 if the write fails, %s fails with its code", async (tool, args) => {
    class FullWorkspace extends MemoryWorkspace {
      override async commit(): Promise<never> {
        throw new ToolError("DISK_FULL", "No space is left on the disk");
      }
    }
    const workspace = new FullWorkspace(files);
    const runtime = createTestRuntime({ tools, workspace, approver: scriptedApprover(true) });
    expect(await runtime.call(tool, args)).toMatchObject({ ok: false, error: { code: "DISK_FULL" } });
    expect(await runtime.workspaceFiles()).toEqual(files);
  });

  it("S1.R3 replace_in_file previews its effect, its guidance recommends that, it prompts with the diff and is journalled", async () => {
    const { runtime, approver } = editRuntime(files);
    const args = { path: "a.txt", find: "one", replace: "1" };
    const described = runtime.tools().find(({ name }) => name === "replace_in_file");
    expect(described?.guidance).toContain("preview_only to see the diff first");
    const preview = await runtime.call("replace_in_file", { ...args, preview_only: true });
    expect(preview).toMatchObject({ ok: true, preview: true });
    expect(preview.text).toContain("-one\n+1");
    expect(approver.requests).toHaveLength(0);
    expect(runtime.workspace.commits).toEqual([]);
    const { callId } = await runtime.call("replace_in_file", args);
    expect(JSON.stringify(approver.requests[0])).toContain("-one\\n+1");
    const trail = runtime.events.filter((event) => event.callId === callId);
    expect(trail.map(({ type }) => type)).toEqual([
      "requested",
      "approval-requested",
      "approval-answered",
      "started",
      "file-changed",
      "finished",
    ]);
    expect(runtime.workspace.commits).toMatchObject([{ callId }]);
  });

  it.each(["file_path", "filePath", "filepath", "file", "filename", "file_name", "fileName", "target_file"])(
    "accepts %s for path",
    async (name) => {
      const { runtime } = editRuntime(files);
      for (const [tool, { path, ...args }] of CALLS.filter(([, { path }]) => path !== undefined))
        expect(await runtime.explain(tool, { ...args, [name]: path })).toMatchObject({ effect: "ask" });
    },
  );

  it("in the claude dialect no text mentions a missing parameter", () => {
    const edit = createTestRuntime({ tools, dialect: "claude" })
      .tools()
      .find(({ canonicalName }) => canonicalName === "edit");
    expect(Object.keys(edit?.input.properties ?? {})).not.toContain("edits");
    expect(`${edit?.summary} ${edit?.guidance} ${JSON.stringify(edit?.examples)}`).not.toMatch(/\bedits\b/);
  });
});
