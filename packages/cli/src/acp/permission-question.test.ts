import type { ApprovalRequest } from "@haft/core";
import { describe, expect, it } from "vitest";
import { permissionAnswer } from "./permission-question.js";

function requestWith(label: string): ApprovalRequest {
  const base = { tool: "write_file", role: "coder" };
  const match = { ...base, paths: ["a"], kinds: ["modify"] as const };
  return {
    stepId: "step-1",
    callId: "c",
    ...base,
    args: { path: "a" },
    reason: "asks",
    changes: [],
    risk: "medium",
    grants: [{ id: "paths", label, match }],
    planDigest: "p",
  };
}

const answer = (request: ApprovalRequest, optionId: string) =>
  permissionAnswer(request, { outcome: "selected", optionId });

describe("permissionAnswer", () => {
  it.each(["session", "project"])("FE8 saves the grant that was offered: %s", (scope) => {
    const remember = { grant: "paths", scope };
    expect(answer(requestWith("may modify a"), scope)).toEqual({ approved: true, remember });
  });

  it.each(["session", "project", "other", "reject"])(
    "FE8 denies an option that was not offered: %s",
    (chosen) => {
      const tooLong = requestWith(`may modify ${"a".repeat(400)}`);
      expect(answer(tooLong, chosen)).toEqual({ approved: false });
      expect(answer(tooLong, "once")).toEqual({ approved: true });
    },
  );
});
