import type { ApprovalRequest } from "@haft/core";
import { describe, expect, it } from "vitest";
import { ElicitationGate } from "./elicitation-gate.js";

const request = {
  callId: "c1",
  tool: "t",
  reason: "because",
  risk: "low",
  changes: [],
} as unknown as ApprovalRequest;
const signal = new AbortController().signal;

describe("the gate", () => {
  it("asks the client whose call it is, and nobody once the call is over", async () => {
    const gate = new ElicitationGate("none");
    const answer = await gate.during(
      "c1",
      async () => ({ approved: true, feedback: "mine" }),
      () => gate.ask(request, signal),
    );
    expect(answer).toEqual({ approved: true, feedback: "mine" });
    await expect(gate.ask(request, signal)).rejects.toMatchObject({ code: "APPROVAL_REQUIRED" });
  });

  it.each(["ask", "none", undefined] as const)(
    "refuses under %s when the client cannot be asked",
    async (approve) => {
      const gate = new ElicitationGate(approve);
      const asking = gate.during("c1", undefined, () => gate.ask(request, signal));
      await expect(asking).rejects.toMatchObject({ code: "APPROVAL_REQUIRED", details: { risk: "low" } });
      expect(gate.for({ asking: "none" })).toBeUndefined();
      expect(gate.for({ asking: "push" })).toBe(gate);
    },
  );

  it("approves under all when the client cannot be asked", async () => {
    const gate = new ElicitationGate("all");
    expect(await gate.ask(request, signal)).toEqual({ approved: true });
    expect(gate.for({ asking: "none" })).toBe(gate);
  });
});
