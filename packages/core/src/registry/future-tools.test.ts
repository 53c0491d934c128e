import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { defineTool, type PlainTool, s, type ToolPermission } from "../index.js";

// Third-party tools. The kernel must register, offer, approve and run them without knowing their names.
const FUTURE: readonly (readonly [string, readonly ToolPermission[], boolean])[] = [
  ["git_status", ["ExecuteCommands"], false],
  ["git_diff", ["ExecuteCommands"], false],
  ["git_commit", ["ExecuteCommands", "WriteFiles"], true],
  ["search_code", ["ReadFiles"], false],
  ["run_tests", ["RunCode"], false],
  ["format_code", ["ReadFiles", "WriteFiles"], true],
  ["install_package", ["ExecuteCommands", "NetworkAccess"], true],
];

const plain = ([name, requiredPermissions, requiresApproval]: (typeof FUTURE)[number]): PlainTool => ({
  name,
  description: `Do ${name}.`,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  outputSchema: { type: "object", properties: { did: { type: "string" } } },
  requiredPermissions,
  requiresApproval,
  category: "x-project",
  execute: async () => ({ ok: true, value: { did: name } }),
});

describe("S3.FUT future tools", () => {
  it.each(FUTURE)("S3.FUT %s is added from outside, asks as it proposes, and runs", async (...entry) => {
    const [name, permissions, requiresApproval] = entry;
    const approver = scriptedApprover(true);
    const runtime = createTestRuntime({ tools: [], approver, role: { name: "r", permissions } });
    runtime.registry.register(plain(entry));
    expect(runtime.tools()).toMatchObject([{ name, category: "x-project", permissions }]);
    expect(await runtime.call(name, {})).toMatchObject({ ok: true, value: { did: name } });
    // A tool that cannot be rehearsed and declares file changes prompts for its arguments, and again only if there are
    // changes.
    const isAsked = requiresApproval && !(name === "format_code");
    expect(approver.requests.map(({ tool }) => tool)).toEqual(isAsked ? [name] : []);
  });

  it("S3.FUT is neither offered to nor allowed for a role that lacks one of its permissions", async () => {
    const runtime = createTestRuntime({
      tools: FUTURE.map(plain),
      role: { name: "reader", permissions: ["ReadFiles"] },
    });
    expect(runtime.tools().map(({ name }) => name)).toEqual(["search_code"]);
    expect(await runtime.call("install_package", {})).toMatchObject({
      error: { code: "PERMISSION_DENIED", details: { missing: ["ExecuteCommands", "NetworkAccess"] } },
    });
  });

  it("S3.FUT format_code shows its changes before they are applied, without its own code for that", async () => {
    const Format = defineTool({
      name: "format_code",
      summary: "Trim the ends of lines.",
      category: "x-project",
      permissions: ["ReadFiles", "WriteFiles"],
      approval: "confirm",
      input: s.object({ path: s.path("File") }),
      output: s.object({}),
      run: async ({ path }, { workspace }) => {
        await workspace.writeText(path, (await workspace.readText(path)).replace(/ +$/gm, ""));
        return {};
      },
    });
    const approver = scriptedApprover(true);
    const runtime = createTestRuntime({
      tools: [Format],
      approver,
      files: { "a.ts": "a  \n", "b.ts": "b\n" },
    });
    expect(await runtime.call("format_code", { path: "a.ts" })).toMatchObject({ ok: true });
    expect(approver.requests[0]?.changes[0]?.diff).toContain("-a  \n+a\n");
    expect(await runtime.call("format_code", { path: "b.ts" })).toMatchObject({ ok: true, changes: [] });
    expect(approver.requests).toHaveLength(1);
  });
});
