import { digestOf } from "../audit/audit-chain.js";
import { ToolError } from "../error/tool-error.js";
import type { NewCall } from "./call-record.js";

/**
 * Returns a digest of what a call would do: two submissions with one id must have the same digest. `hash` is a faster
 * SHA-256, where the host has one.
 */
export function callDigest(
  { workspace, kind = "call", tool, args, options }: NewCall,
  hash?: (bytes: Uint8Array) => string,
): string {
  return digestOf([workspace, kind, tool, args ?? null, options?.dryRun ?? false], hash);
}

export function callIdConflict(callId: string): ToolError {
  return new ToolError(
    "CALL_ID_CONFLICT",
    `The call id ${JSON.stringify(callId.slice(0, 80))} was used for another call`,
    { hint: "Use a unique id for every call." },
  );
}

export function overloaded(tenant: string, queued: number): ToolError {
  return new ToolError("OVERLOADED", `${queued} calls of ${tenant} wait in the queue already`, {
    hint: `Nothing was queued. Try again in ${OVERLOAD_RETRY_MS / 1000} s, or start more workers.`,
    details: { retryAfterMs: OVERLOAD_RETRY_MS },
  });
}

const OVERLOAD_RETRY_MS = 1_000;
