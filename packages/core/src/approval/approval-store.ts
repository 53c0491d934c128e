import type { ApprovalRequest } from "./approval.js";
import type { ReadAnswer } from "./read-answer.js";

/** A stored request, with everything needed to decide it and to repeat its call. */
export interface ApprovalRecord {
  readonly request: ApprovalRequest;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** The absolute root of the workspace it belongs to. */
  readonly workspace: string;
  readonly call: MadeCall;
  /** The request shows redacted arguments. */
  readonly hidesArguments?: boolean;
}

/** A call as it was made, unredacted. */
export interface MadeCall {
  readonly tool: string;
  readonly args: unknown;
}

export interface StoredApproval extends ApprovalRecord {
  /** Whether a live process waits for the decision, as far as the store can tell. */
  readonly isWaitedFor: boolean;
  readonly decision?: ApprovalDecision;
}

export interface ApprovalDecision {
  /** ISO 8601. */
  readonly decidedAt: string;
  readonly approved: boolean;
  /** Present until the call has used it. */
  readonly answer?: ReadAnswer;
}

/**
 * Keeps approval requests until their call has used the decision. Every operation is atomic among all
 * processes that use the store. The approval id is `request.stepId`.
 */
export interface ApprovalStore {
  /**
   * Stores a request that this process waits for. Idempotent: inserting an id again makes this process
   * the one that waits. Resolves when the request survives a crash.
   */
  insert(record: ApprovalRecord): Promise<void>;
  /** Returns the requests whose decision has not been used yet, oldest first. */
  list(filter?: ApprovalFilter): Promise<readonly StoredApproval[]>;
  /** Returns true to exactly one caller; the others get the first decision. */
  decide(id: string, answer: ReadAnswer): Promise<boolean>;
  /** Returns the decision, even after it was used; then without its answer. */
  decision(id: string): Promise<ApprovalDecision | undefined>;
  /**
   * Claims the right to act on a request. Returns true to exactly one caller. Deletes the request and the answer but
   * keeps the decision record.
   */
  take(id: string): Promise<boolean>;
  /** Renews the claim that this process still waits; call it every few seconds. */
  renew(id: string): Promise<void>;
  /** Ends this process's wait for the decision; the request stays pending. */
  release(id: string): Promise<void>;
  /** Calls back when something may have changed. Only a hint: it may come late, several times, or never. */
  watch(listener: () => void): () => void;
}

export interface ApprovalFilter {
  readonly callId?: string;
  readonly id?: string;
  /** Only undecided requests, and at most this many. */
  readonly undecided?: number;
}
