import type { ApprovalRequest } from "@haft/core";
import { describe, expect, it } from "vitest";
import { ClientApprover } from "./client-approver.js";

const request = {
  callId: "c1",
  tool: "t",
  reason: "because",
  risk: "low",
  role: "coder",
  args: {},
  changes: [],
} as unknown as ApprovalRequest;
const signal = new AbortController().signal;

describe("ClientApprover", () => {
  it("prompts the client that made the call, and no client once the call has ended", async () => {
    const approver = new ClientApprover("ask");
    const answer = await approver.during(
      "c1",
      async () => ({ approved: true, feedback: "mine" }),
      () => approver.ask(request, signal),
    );
    expect(answer).toEqual({ approved: true, feedback: "mine" });
    await expect(approver.ask(request, signal)).rejects.toMatchObject({ code: "APPROVAL_REQUIRED" });
  });

  it.each(["ask", "none", undefined] as const)(
    "refuses in mode %s if the client cannot be asked",
    async (approve) => {
      const approver = new ClientApprover(approve);
      const asking = approver.during("c1", undefined, () => approver.ask(request, signal));
      await expect(asking).rejects.toMatchObject({ code: "APPROVAL_REQUIRED", details: { risk: "low" } });
      expect(approver.for({ asking: "none" })).toBeUndefined();
    },
  );

  it("FE11 never prompts in mode none, for any client capability", () => {
    const none = new ClientApprover("none");
    for (const asking of ["push", "retry"] as const) {
      expect(none.for({ asking })).toBeUndefined();
      expect(none.modeFor({ asking })).toBe("none");
    }
    for (const approve of ["ask", "all", undefined] as const) {
      const approver = new ClientApprover(approve);
      expect(approver.for({ asking: "push" })).toBe(approver.ask);
    }
  });

  it("FE7 denies a request that is too long for one message, without prompting", async () => {
    const approver = new ClientApprover("ask");
    const long = { ...request, args: { content: "x".repeat(300_000) } };
    const answer = await approver.during(
      "c1",
      () => expect.unreachable("it was asked"),
      () => approver.ask(long, signal),
    );
    expect(answer).toMatchObject({ approved: false, feedback: expect.stringContaining("at most 262144") });
  });

  it("approves in mode all if the client cannot be asked", async () => {
    const approver = new ClientApprover("all");
    expect(await approver.ask(request, signal)).toMatchObject({ approved: true });
    expect(approver.for({ asking: "none" })).toBe(approver.ask);
  });
});
