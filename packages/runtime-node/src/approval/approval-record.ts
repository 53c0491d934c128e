import type { ApprovalRequest } from "@haft/core";
import type { ProcessIdentity } from "../journal/process-identity.js";
import type { ReadAnswer } from "./approval-response.js";

/** A pending approval as it is stored: everything needed to decide it, and to run the call again. */
export interface ApprovalRecord {
  readonly request: ApprovalRequest;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** Absolute root of the workspace it belongs to. */
  readonly workspace: string;
  readonly owner: ProcessIdentity;
  readonly call: MadeCall;
  /** The request shows other arguments than the call has: secrets were taken out. */
  readonly hidesArguments?: boolean;
}

/** A call as it was made, nothing redacted. */
export interface MadeCall {
  readonly tool: string;
  readonly args: unknown;
}

/** What somebody decided. The answer is there until the call has used it. */
export interface StoredDecision {
  /** ISO 8601. */
  readonly decidedAt: string;
  readonly approved: boolean;
  readonly answer?: ReadAnswer;
}

/** Undefined for a file that is not a record: a torn or foreign file must not stop the others. */
export function parseRecord(text: string): ApprovalRecord | undefined {
  const value = parseObject(text) as Partial<ApprovalRecord> | undefined;
  const { request, owner, call } = value ?? {};
  const isWhole =
    typeof request?.stepId === "string" &&
    typeof request.callId === "string" &&
    typeof request.planDigest === "string" &&
    Array.isArray(request.changes) &&
    Array.isArray(request.grants) &&
    typeof owner?.pid === "number" &&
    typeof call?.tool === "string" &&
    typeof value?.workspace === "string" &&
    typeof value.requestedAt === "string";
  return isWhole ? (value as ApprovalRecord) : undefined;
}

export function parseDecision(text: string): StoredDecision | undefined {
  const value = parseObject(text) as Partial<StoredDecision> | undefined;
  return typeof value?.decidedAt === "string" ? (value as StoredDecision) : undefined;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
