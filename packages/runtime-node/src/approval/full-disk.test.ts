import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalRequest } from "@haft/core";
import { memoryGrantStore } from "@haft/core/memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApprovalManager } from "../../../core/src/approval/approval-manager.js";
import { RememberedGrants } from "../../../core/src/approval/remembered-grants.js";
import { FileApprovalStore } from "./file-approval-store.js";

// A full disk cannot be created everywhere, so writing fails as the system would.
const full = () => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

vi.mock("./private-file.js", async (load) => {
  const files = await load<typeof import("./private-file.js")>();
  return {
    ...files,
    writePrivateFile: async (...args: Parameters<typeof files.writePrivateFile>) => {
      if (fullFrom === "request") throw full();
      return files.writePrivateFile(...args);
    },
    createPrivateFile: async () => {
      throw full();
    },
  };
});

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

async function ask(isApproved: boolean) {
  const manager = new ApprovalManager({
    store: new FileApprovalStore(directory),
    grants: new RememberedGrants(memoryGrantStore(), () => false),
    approver: async () => ({ approved: isApproved, ...(isApproved ? {} : { feedback: "rather not" }) }),
    timeoutMs: 10_000,
    role: "coder",
    workspace: "/ws",
    callOf: () => undefined,
    redact: (value) => value,
  });
  const { approver } = manager;
  const stored = await approver.prepare?.(request, { tool: request.tool, args: request.args });
  return approver(stored ?? request, new AbortController().signal);
}

describe("S8 a full state disk", () => {
  it.each(["request", "decision"] as const)(
    "is reported as such, not as a denial: at the %s",
    async (when) => {
      fullFrom = when;
      await expect(ask(true)).rejects.toMatchObject({
        code: "DISK_FULL",
        message: expect.stringContaining("could not be stored (ENOSPC)"),
        hint: expect.stringContaining("state folder"),
        cause: { code: "ENOSPC" },
      });
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  it("a denial holds, stored or not", async () => {
    fullFrom = "decision";
    expect(await ask(false)).toEqual({ approved: false, feedback: "rather not" });
  });
});
