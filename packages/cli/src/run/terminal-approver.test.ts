import { PassThrough } from "node:stream";
import type { ApprovalRequested, RunEvent } from "@haft/agent";
import { ToolError } from "@haft/core";
import { describe, expect, it, vi } from "vitest";
import { TerminalApprover } from "./terminal-approver.js";

describe("S3.APPR refused answers", () => {
  it.each([
    ["APPROVAL_NOT_FOUND", 0],
    ["ALREADY_DECIDED", 0],
    ["IO_ERROR", 1],
  ])("%s: the run continues with the next question", async (code, words) => {
    const answered: string[] = [];
    const printed: string[] = [];
    const { approver, stdin, asked } = deskWith((text) => printed.push(text));
    approver.attach({
      decide: async (id) => {
        answered.push(id);
        throw new ToolError(code, "it is gone");
      },
    });
    approver.observe(request("first"));
    approver.observe(request("second"));
    for (const count of [1, 2]) {
      await vi.waitFor(() => expect(asked()).toBe(count), PATIENT);
      stdin.write("y\n");
      await vi.waitFor(() => expect(answered).toHaveLength(count), PATIENT);
    }
    expect(answered).toEqual(["first", "second"]);
    expect(printed.filter((text) => text.includes("it is gone"))).toHaveLength(words * 2);
  });
});

// The first question imports the modules that ask it.
const PATIENT = { timeout: 15_000 };

function deskWith(print: (text: string) => void) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let held = 0;
  stderr.resume();
  const approver = new TerminalApprover({
    io: { stdin, stdout, stderr, env: {}, cwd: "/" },
    terminal: {
      ask: (work) => {
        held += 1;
        return work(false);
      },
      print,
    },
    onInterrupt: () => {},
  });
  return { approver, stdin, asked: () => held };
}

function request(stepId: string): Extract<RunEvent, ApprovalRequested> {
  const call = { callId: stepId, tool: "write_file", role: "coder", args: {}, planDigest: "digest" };
  const approval = { stepId, ...call, reason: "it writes", changes: [], risk: "low" as const, grants: [] };
  const envelope = { v: 1 as const, runId: "run", seq: 1, at: "2026-01-01T00:00:00.000Z" };
  return { ...envelope, type: "approval.requested", callId: stepId, approval };
}
