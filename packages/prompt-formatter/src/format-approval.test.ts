import type { ApprovalRequest } from "@haft/core";
import { textColumns } from "@haft/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { approvalView } from "./approval-view.js";
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
const command = (text: string): ApprovalRequest => ({
  ...request,
  tool: "execute_command",
  changes: [],
  args: { command: text, timeout: 5 },
});

describe("the text of an approval request", () => {
  it("FE7 has tool, reason, risk, size and position, the marked diff, and the verdict again", () => {
    expect(formatApproval(request, { position: { index: 2, total: 5 } })).toBe(
      [
        "write_file needs approval to modify a.txt",
        "reason: write_file asks before it runs",
        "2 of 5, risk medium, role coder, 1 file, +1 −1 lines",
        "modify a.txt (+1 −1 lines)",
        "│ @@ -1 +1 @@",
        "│ -old",
        "│ +new",
        "",
        "write_file needs approval to modify a.txt",
        "2 of 5, risk medium, 1 file, +1 −1 lines",
      ].join("\n"),
    );
  });

  it("FE7 FR8 shows a command of a megabyte without a long stall", () => {
    const usedMs = measureProcessorTime();
    expect(formatApproval(command("x".repeat(1_000_000))).length).toBeGreaterThan(2_000_000);
    expect(usedMs()).toBeLessThan(5_000);
  });

  it("FE7 lists every argument if no file change is known", () => {
    expect(formatApproval(command("npm test\nrm -rf /"))).toBe(
      [
        "execute_command needs approval: npm test\\nrm -rf /",
        "reason: write_file asks before it runs",
        "risk medium, role coder, 2 arguments, 18 characters",
        "command:",
        "│ npm test",
        "│ rm -rf /",
        "timeout:",
        "│ 5",
        "",
        "execute_command needs approval: npm test\\nrm -rf /",
        "risk medium, 2 arguments, 18 characters",
      ].join("\n"),
    );
  });

  it("FE8 names the files that the approval depends on, with hostile names escaped", () => {
    const operands = [
      { path: "tools/gen.sh", digest: "0123456789abcdef" },
      { path: "a\nApprove? y", digest: "fedcba9876543210" },
    ];
    const text = formatApproval({ ...command("sh tools/gen.sh"), operands });
    expect(text).toContain(
      [
        "depends on these files (a change voids the approval):",
        "│ tools/gen.sh  (0123456789ab)",
        "│ a\\nApprove? y  (fedcba987654)",
      ].join("\n"),
    );
    expect(text.split("\n").at(-1)).toBe("risk medium, 2 arguments, 16 characters, depends on 2 files");
  });

  it("says that a tool has run, and what ran", () => {
    const text = formatApproval({ ...command("make"), hasRun: true, changes: request.changes });
    expect(text).toContain("execute_command has run and needs approval to modify a.txt");
    expect(text).toContain("command:\n│ make\n");
    expect(text).toContain("│ -old\n│ +new");
  });

  it("puts numbers and booleans on one marked row", () => {
    const args = { command: "make", timeout: 5, background: false, cwd: "." };
    expect(formatApproval({ ...command(""), args })).toContain(
      ["command:", "│ make", "cwd:", "│ .", "other arguments:", "│ timeout: 5, background: false", ""].join(
        "\n",
      ),
    );
  });

  it("names both ends of a move, and changes without a diff", () => {
    const text = formatApproval({ ...request, changes: [{ kind: "move", path: "b", from: "a" }] });
    expect(text).toContain("write_file needs approval to move a -> b");
    const two = formatApproval({
      ...request,
      changes: [
        ...request.changes,
        { kind: "delete", path: "dir", diff: "directory with 2 entries:\nx\ny\n" },
      ],
    });
    expect(two).toContain("write_file needs approval to make 2 changes: modify a.txt, delete dir\n");
    expect(two).toContain("delete dir\n│ directory with 2 entries:\n│ x\n│ y\n");
    expect(two).toContain("2 files, +1 −1 lines");
  });

  it.each([
    ["deep", `${"d/".repeat(60)}Configuration.ts`],
    ["wide", `${"漢字/".repeat(40)}Configuration.ts`],
    ["hostile", `${"\u202e".repeat(60)}/Configuration.ts`],
  ])("FE7 names the file right above the answer, also by a %s path on a narrow screen", (_what, path) => {
    const asked = { ...request, tool: "delete_file", changes: [{ kind: "delete" as const, path }] };
    const { verdict } = approvalView(asked, { columns: 40 });
    expect(verdict.join("").replaceAll("┆ ", "")).toMatch(
      /^delete_file needs approval to delete .*…\[\+\d+ chars\]….*guration\.ts(?!…)/,
    );
    expect(verdict.length).toBeLessThanOrEqual(3);
  });

  it("FE7 leaves nothing out, however long it is", () => {
    const marker = "in the middle";
    const long = `${"+x\n".repeat(50_000)}+${marker}\n${"+y\n".repeat(50_000)}`;
    const text = formatApproval({
      ...request,
      changes: [{ kind: "modify", path: "a", diff: `@@ -0,0 @@\n${long}` }],
    });
    expect(text).toContain(`│ +${marker}\n`);
    expect(text.match(/^│ \+[xy]$/gm)).toHaveLength(100_000);
    expect(text).toContain("1 file, +100,001 −0 lines");
    expect(formatApproval(command("y".repeat(100_000))).match(/y/g)?.length).toBeGreaterThan(100_000);
  });

  it("FE7 names the file and its size, not the folders that are created for it", () => {
    const folders = ["new", "new/feature"].map((path) => ({ kind: "create", path }) as const);
    const path = "new/feature/index.ts";
    const file = { kind: "create", path, diff: "@@ -0,0 +1 @@\n+x\n", afterHash: "5891" } as const;
    const { head, content, verdict } = approvalView(
      { ...request, changes: [...folders, file] },
      { columns: 40 },
    );
    expect(head.join("").replaceAll("┆ ", "")).toContain(`needs approval to create ${path}`);
    expect(verdict.join("").replaceAll("┆ ", "")).toContain(path);
    expect(verdict.join("").replaceAll("┆ ", "")).toContain("1 file, +1 −0 lines, 2 new folders");
    expect(content).toContain("create new/feature");
  });

  it("FE7 names a file if not all files fit above the answer", () => {
    const changes = ["first.ts", "second.ts", "third.ts"].map((name) => {
      return { kind: "modify", path: `packages/core/src/${name}`, diff: "@@ -1 +1 @@\n-a\n+b\n" } as const;
    });
    const { verdict } = approvalView({ ...request, changes }, { columns: 40 });
    expect(verdict.join("").replaceAll("┆ ", "")).toMatch(/3 changes, *modify .*st\.ts, …/);
    expect(verdict.at(-1)).toContain("3 files, +3 −3 lines");
  });

  it("shows a change of line endings", () => {
    const text = formatApproval({
      ...request,
      changes: [{ kind: "modify", path: "a", diff: "@@ -1 +1 @@\n-x\r\n+x\n" }],
    });
    expect(text).toContain("│ -x\\r\n│ +x");
  });

  it("te-901 shows escape sequences instead of obeying them", () => {
    const text = formatApproval({
      ...request,
      tool: "execute_command",
      reason: "because\u001b[2J\nforged: approved",
      changes: [{ kind: "create", path: "a\n\u202eb", diff: "@@ @@\n+\u001b[31mred\r\u200b\u{e0041}" }],
    });
    const hidden = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/u;
    expect(text).not.toMatch(hidden);
    expect(text).toContain("because\\x1b[2J\\nforged: approved");
    expect(text).toContain("create a\\n\\u202eb");
  });

  it("FE7 law: for any call, rows fit, and unmarked rows start with our own text", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("a", " ", "\n", "\u001b", "\u202e", "日", "│", "y = yes\n", "\t", "Approve?"),
      maxLength: 200,
    });
    fc.assert(
      fc.property(hostile, hostile, fc.integer({ min: 30, max: 100 }), (path, value, columns) => {
        const change = {
          kind: "modify",
          path,
          diff: `@@ -1 +1 @@\n+${value.replaceAll("\n", "\n+")}\n`,
        } as const;
        for (const changes of [[], [change], [change, change]]) {
          const asked = { ...request, reason: value, args: { [path]: value, command: value }, changes };
          const { head, content, verdict } = approvalView(asked, { columns });
          expect(verdict.length).toBeLessThanOrEqual(4);
          expect(verdict[0]).toMatch(/^write_file/);
          for (const row of [...head, ...content, ...verdict]) {
            expect(textColumns(row)).toBeLessThanOrEqual(columns);
          }
        }
      }),
      { examples: [["", "\n \n\n", 30]] },
    );
  });
});
