import type { ApprovalRequest } from "@haft/core";
import { describe, expect, it } from "vitest";
import { formatApproval } from "./format-approval.js";

const request: ApprovalRequest = {
  stepId: "s1",
  callId: "c1",
  tool: "write_file",
  role: "coder",
  args: { path: "a.txt", content: "new\n" },
  reason: "write_file asks before it runs",
  changes: [{ kind: "modify", path: "a.txt", diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n" }],
  risk: "medium",
  grants: [],
  planDigest: "d",
};

describe("what a person is shown", () => {
  it("is the tool, the reason, the risk and the diff", () => {
    expect(formatApproval(request)).toBe(
      [
        "write_file needs approval: write_file asks before it runs",
        "role coder, risk medium",
        "modify a.txt",
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -1 +1 @@",
        "-old",
        "+new",
      ].join("\n"),
    );
  });

  it("names both ends of a move and what has no diff", () => {
    const text = formatApproval({ ...request, changes: [{ kind: "move", path: "b", from: "a" }] });
    expect(text).toContain("\nmove a -> b");
  });

  it("is the arguments where no file is known to change, the command whole", () => {
    const command = `echo ${"x".repeat(5000)}`;
    const text = formatApproval({
      ...request,
      tool: "execute_command",
      changes: [],
      args: { command, timeout: 5 },
    });
    expect(text).toContain(`command: ${command}\ntimeout: 5`);
  });

  it("says how much it leaves out", () => {
    const text = formatApproval({ ...request, changes: [], args: { code: "y".repeat(100_000) } });
    expect(text).toMatch(/…\[92000 more characters\]…/);
  });

  it("shows a change of line endings", () => {
    const text = formatApproval({ ...request, changes: [{ kind: "modify", path: "a", diff: "-x\r\n+x\n" }] });
    expect(text).toContain("-x\\r\n+x");
  });

  it("te-901 shows escapes instead of obeying them", () => {
    const text = formatApproval({
      ...request,
      tool: "execute_command",
      reason: "because\u001b[2J\nforged: approved",
      changes: [{ kind: "create", path: "a\n\u202eb", diff: "+\u001b[31mred\r\u200b\u{e0041}" }],
    });
    const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u;
    expect(text).not.toMatch(hidden);
    expect(text).toContain("because\\x1b[2J\\nforged: approved");
    expect(text).toContain("create a\\n\\u202eb");
  });
});
