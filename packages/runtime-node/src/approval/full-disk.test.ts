import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalRequest } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApprovalManager } from "./approval-manager.js";
import type { ApprovalRecord } from "./approval-record.js";
import { ApprovalStore } from "./approval-store.js";
import { RememberedGrants } from "./remembered-grants.js";

// A full disk cannot be had everywhere: the store says what the system would.
const full = () => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

class FullStore extends ApprovalStore {
  override async save(record: ApprovalRecord): Promise<void> {
    if (fullFrom === "request") throw full();
    return super.save(record);
  }
  override async decide(): Promise<boolean> {
    throw full();
  }
}

const request: ApprovalRequest = {
  stepId: "step-1",
  callId: "c",
  tool: "write_file",
  role: "coder",
  args: { path: "a" },
  reason: "asks",
  changes: [],
  risk: "medium",
  grants: [],
  planDigest: "p",
};

let directory: string;
let fullFrom: "request" | "decision";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "haft-full-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function ask(isApproved: boolean) {
  const manager = new ApprovalManager({
    store: new FullStore(directory),
    grants: new RememberedGrants(join(directory, "grants"), () => false),
    approver: async () => ({ approved: isApproved, ...(isApproved ? {} : { feedback: "rather not" }) }),
    timeoutMs: 10_000,
    role: "coder",
    workspace: "/ws",
    callOf: () => undefined,
    redact: (value) => value,
  });
  return manager.ask(request, new AbortController().signal, { tool: request.tool, args: request.args });
}

describe("S8 a full state disk", () => {
  it.each(["request", "decision"] as const)("is told as such, not as a refusal: at the %s", async (when) => {
    fullFrom = when;
    await expect(ask(true)).rejects.toMatchObject({
      code: "DISK_FULL",
      message: expect.stringContaining("could not be stored (ENOSPC)"),
      hint: expect.stringContaining("state folder"),
      cause: { code: "ENOSPC" },
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  it("a refusal holds, stored or not", async () => {
    fullFrom = "decision";
    expect(await ask(false)).toEqual({ approved: false, feedback: "rather not" });
  });
});
