import type { Effect, Operand } from "../approval/approval.js";
import type { Decider } from "../approval/approval-answer.js";
import type { CommandFacts } from "../tool/call-inspection.js";
import type { FileChange } from "../workspace/file-change.js";

/**
 * One decision about a call. Records denials, calls that required approval or were covered by a grant, and calls that
 * policy allowed to change files, run programs or use the network. Does not record reads that policy allows, calls
 * without effect, and dry runs.
 */
export interface AuditEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly callId: string;
  /** Who made the call, where the host says so. */
  readonly principal?: string;
  /** The workspace, in a log that several share. */
  readonly workspace?: string;
  readonly tool: string;
  readonly role: string;
  /** Redacted; long strings are truncated. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments, command or URL are incomplete: a secret was redacted, or a value was truncated. */
  readonly isPartial?: true;
  /** The approver's modified arguments, redacted and truncated likewise. */
  readonly modifiedArgs?: unknown;
  readonly changes: readonly AuditedChange[];
  /** The workspace paths that the path arguments resolve to (`PolicyRequest.paths`). */
  readonly paths: readonly string[];
  /** The parsed command line, redacted, if the tool runs one. */
  readonly command?: CommandFacts;
  /** Redacted, if the tool fetches one. */
  readonly url?: string;
  /** The files that determine what the call does, if approval was requested: the answer covered this content. */
  readonly operands?: readonly Operand[];
  /** The tool had run; the decision was about applying its file changes. */
  readonly hasRun?: true;
  /** The policy's decision. */
  readonly effect: Effect;
  readonly because: string;
  /** The policy or rule that decided. */
  readonly rule?: string;
  readonly verdict: "allow" | "deny";
  readonly decider: Decider;
  readonly approvalId?: string;
  /** A digest of the tool, the arguments, and every byte before and after (`ApprovalRequest.planDigest`). */
  readonly plan?: string;
  /** SHA-256 of the request as it was shown, as canonical JSON. */
  readonly shown?: string;
  readonly feedback?: string;
  /**
   * Set on the second record of an allowed call: how it ended, with its file changes in `changes`. It repeats neither
   * arguments nor reasons, and decides nothing. A call without one was interrupted, or its outcome was not stored.
   */
  readonly outcome?: AuditOutcome;
}

export interface AuditOutcome {
  readonly status: "ok" | "error" | "cancelled";
  /** The error code of a call that failed. */
  readonly code?: string;
  /** From the request to the result, including the time spent waiting for approval. */
  readonly durationMs: number;
}

/** Returns whether a record is a decision rather than an outcome. */
export function isDecision({ outcome }: AuditEntry): boolean {
  return outcome === undefined;
}

export interface AuditedChange {
  readonly kind: FileChange["kind"];
  readonly path: string;
  readonly from?: string;
}

/** An entry with its position in the chain. */
export interface AuditRecord extends AuditEntry {
  readonly v: 1;
  /** Counts from 1 without gaps. */
  readonly seq: number;
  /** The hash of the previous record; "" for the first. */
  readonly previous: string;
  /** SHA-256 of the record without this field, as canonical JSON. */
  readonly hash: string;
}

/** The end of the chain. Stored separately from the records, it reveals that the newest were removed. */
export type AuditHead = Pick<AuditRecord, "seq" | "hash">;

/** Stores decisions, append-only, each record with the hash of the previous one. */
export interface AuditStore {
  /** Resolves when the record is stored. Concurrent appends from all processes form one chain. */
  append(entry: AuditEntry): Promise<AuditRecord>;
  /** Returns the records after `afterSeq`, oldest first. Default: all. */
  list(afterSeq?: number): Promise<readonly AuditRecord[]>;
  /** Checks the whole chain. */
  verify(): Promise<AuditVerdict>;
}

export interface AuditVerdict {
  readonly intact: boolean;
  /** The number of records checked. */
  readonly records: number;
  /** The first problem found, in words. */
  readonly problem?: string;
  /** The sequence number of the problem. */
  readonly at?: number;
  /** What a person can do about the problem. */
  readonly remedy?: string;
}
