import { createTestRuntime, scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import type { ApprovalAnswer } from "../index.js";
import { defineTool, s } from "../index.js";

const Append = defineTool({
  name: "append",
  summary: "Add a line to a file.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles"],
  approval: "confirm",
  input: s.object({ path: s.path("File"), line: s.string("Line") }),
  output: s.object({ done: s.boolean("Always true") }),
  async run({ path, line }, { workspace }) {
    await workspace.writeText(path, `${await workspace.readText(path)}${line}\n`);
    return { done: true };
  },
});

describe("P4 calls that prompt", () => {
  it("wait for each other on one file: 200 at once lose nothing and prompt 200 times", async () => {
    const approver = scriptedApprover(async () => true);
    const runtime = createTestRuntime({ tools: [Append], files: { "a.txt": "" }, approver });
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        runtime.call("append", { path: "a.txt", line: String(index) }),
      ),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect((await runtime.workspaceFiles())["a.txt"]).toBe(
      Array.from({ length: 200 }, (_, index) => `${index}\n`).join(""),
    );
    expect(approver.requests).toHaveLength(200);
  });

  it("show the state after the previous call has ended, approved or not", async () => {
    const approver = scriptedApprover([false, true]);
    const runtime = createTestRuntime({ tools: [Append], files: { "a.txt": "" }, approver });
    const [first, second] = await Promise.all(
      ["x", "y"].map((line) => runtime.call("append", { path: "a.txt", line })),
    );
    expect([first?.ok, second?.ok]).toEqual([false, true]);
    expect(approver.requests[1]?.changes[0]?.diff).not.toContain("+x");
    expect((await runtime.workspaceFiles())["a.txt"]).toBe("y\n");
  });

  it("on different files do not wait", async () => {
    let answer: (value: ApprovalAnswer) => void = () => {};
    const slow = new Promise<ApprovalAnswer>((resolve) => {
      answer = resolve;
    });
    const approver = scriptedApprover((request) => (request.changes[0]?.path === "a.txt" ? slow : true));
    const runtime = createTestRuntime({ tools: [Append], files: { "a.txt": "", "b.txt": "" }, approver });
    const waiting = runtime.call("append", { path: "a.txt", line: "x" });
    expect(await runtime.call("append", { path: "b.txt", line: "y" })).toMatchObject({ ok: true });
    answer({ approved: true });
    expect(await waiting).toMatchObject({ ok: true });
  });

  it("stop waiting when they are cancelled, and time out only on their own time", async () => {
    let answer: (value: ApprovalAnswer) => void = () => {};
    const slow = new Promise<ApprovalAnswer>((resolve) => {
      answer = resolve;
    });
    const approver = scriptedApprover([() => slow, true]);
    const runtime = createTestRuntime({
      tools: [Append],
      files: { "a.txt": "" },
      approver,
      limits: { callMs: 60 },
    });
    const first = runtime.call("append", { path: "a.txt", line: "1" });
    const cancel = new AbortController();
    const second = runtime.call("append", { path: "a.txt", line: "2" }, { signal: cancel.signal });
    const third = runtime.call("append", { path: "a.txt", line: "3" });
    await new Promise((resolve) => setTimeout(resolve, 150));
    cancel.abort();
    expect(await second).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    answer({ approved: true });
    expect([(await first).ok, (await third).ok]).toEqual([true, true]);
    expect((await runtime.workspaceFiles())["a.txt"]).toBe("1\n3\n");
  });
});
