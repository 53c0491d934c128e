import { memorySharedStore } from "@haft/core/calls";
import type { ApprovalRecord } from "@haft/core/stores";
import { expect, it } from "vitest";
import { workspaceApprovals } from "./workspace-approvals.js";

it("FP5 the oldest undecided approvals of a workspace are found behind those of another", async () => {
  const store = memorySharedStore().approvals("acme");
  const of = (workspace: string) =>
    workspaceApprovals(store, { workspace, root: `/${workspace}`, mayHaveAsked: () => true });
  for (const [nth, id] of ["a", "b", "c"].entries())
    await of(id === "a" ? "other" : "ws").insert(record(id, nth));
  const listed = await of("ws").list({ undecided: 1 });
  expect(listed.map(({ request, workspace }) => [request.stepId, workspace])).toEqual([["b", "/ws"]]);
  await store.decide("b", { approved: true });
  expect(await of("ws").list({ undecided: 1 })).toMatchObject([{ request: { stepId: "c" } }]);
});

function record(stepId: string, nth: number): ApprovalRecord {
  return {
    request: {
      stepId,
      callId: `of ${stepId}`,
      tool: "write_file",
      role: "coder",
      args: {},
      reason: "it writes",
      changes: [],
      risk: "medium",
      grants: [],
      planDigest: "p",
    },
    requestedAt: `2026-01-0${nth + 1}T00:00:00.000Z`,
    workspace: "",
    call: { tool: "write_file", args: {} },
    hidesArguments: false,
  };
}
