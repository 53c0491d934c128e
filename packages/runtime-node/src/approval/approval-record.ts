import type { ApprovalDecision, ApprovalRecord } from "@haft/core/stores";
import { parseObject } from "../journal/parse-object.js";
import type { ProcessIdentity } from "../journal/process-identity.js";

/** A request as its file holds it. Version 0.1 wrote the same, without `owner.space`. */
export interface OwnedRecord extends ApprovalRecord {
  /** The process that waits for the decision. */
  readonly owner: ProcessIdentity;
}

/** Returns undefined for a file that is not a record: a torn or foreign file must not stop the others. */
export function parseRecord(text: string): OwnedRecord | undefined {
  const value = parseObject(text) as Partial<OwnedRecord> | undefined;
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
  return isWhole ? (value as OwnedRecord) : undefined;
}

export function parseDecision(text: string): ApprovalDecision | undefined {
  const value = parseObject(text) as Partial<ApprovalDecision> | undefined;
  return typeof value?.decidedAt === "string" ? (value as ApprovalDecision) : undefined;
}
