import type { ApprovalAnswer } from "../approval/approval-answer.js";
import type { PendingApproval } from "../approval/approval-manager.js";
import type { ApprovalStore } from "../approval/approval-store.js";
import type { GrantStore } from "../approval/grants.js";
import type { RememberedGrants } from "../approval/remembered-grants.js";
import type { Decided } from "../approval/resumable-calls.js";
import type { AuditStore } from "../audit/audit-store.js";
import type { ForgottenChanges } from "../journal/change-history.js";
import type { ChangeJournalStore } from "../journal/change-journal-store.js";
import type { ChangeRecord } from "../journal/change-record.js";
import type { BuiltInRoleName } from "../permission/built-in-roles.js";
import type { Role } from "../permission/role.js";
import type { ChangeSummary } from "../workspace/describe-change.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import type { LocalRuntime, RuntimeParts } from "./tool-runtime.js";
import type { UndoPreview } from "./undo-preview.js";

export interface RuntimeOptions extends Omit<RuntimeParts, "role" | "tools" | "grants" | "audit"> {
  /** The workspace of the tools: any store. A store without its own journal gets one in `stores.changes`. */
  readonly workspace: WorkspaceStore;
  /** Default: "coder". */
  readonly role?: Role | BuiltInRoleName;
  /** Exactly these tools. Default: every tool the program has imported. */
  readonly tools?: RuntimeParts["tools"];
  /** Calls that need approval wait for an answer through `decide`. */
  readonly decidable?: boolean;
  /** How long a call waits for an answer. Default: 5 minutes. */
  readonly approvalTimeoutMs?: number;
  /** The sections that packs declare with `configSection`, by name. */
  readonly packConfig?: Readonly<Record<string, unknown>>;
  /** Each store defaults to an in-memory one. */
  readonly stores?: Partial<RuntimeStores>;
}

/** The runtime's persistent state. Each store may be a database that several processes share. */
export interface RuntimeStores {
  /** Approval requests and their decisions. Several machines may share it. */
  readonly approvals: ApprovalStore;
  /** Answers remembered for this workspace. */
  readonly grants: GrantStore;
  /** The journal of file changes in this workspace. The format of its lines is private. */
  readonly changes: ChangeJournalStore;
  /** The decision log. */
  readonly audit: AuditStore;
}

/** Executes calls over a workspace, with approvals that outlive it and changes that can be undone. */
export interface Runtime extends LocalRuntime {
  /** Returns the pending requests in this workspace, including those whose process has ended. */
  pending(): Promise<readonly PendingApproval[]>;
  /**
   * Decides a pending approval. If the requesting process has ended, the call is executed here, provided it would still
   * do what was shown. Rejects with ALREADY_DECIDED or APPROVAL_NOT_FOUND.
   */
  decide(approvalId: string, answer: ApprovalAnswer): Promise<Decided>;
  /** Denies a pending approval without executing its call. Rejects as `decide` does. */
  withdraw(approvalId: string): Promise<void>;
  /** Remembered answers. */
  readonly grants: Pick<RememberedGrants, "list" | "revoke">;
  /** The decision log of this workspace. */
  readonly audit: Pick<AuditStore, "list" | "verify">;
  /** Returns the journal of file changes in this workspace, newest last. */
  changes(): Promise<readonly ChangeRecord[]>;
  /**
   * Undoes the file changes of a call, by default the newest. Returns the resulting changes. Rejects with ToolError.
   */
  undo(callId?: string): Promise<readonly ChangeSummary[]>;
  /** Shows what undoing several calls would do, without doing it. */
  previewUndo(callIds: readonly string[]): Promise<UndoPreview>;
  /** Deletes the journal and everything kept for undo. */
  forgetChanges(): Promise<ForgottenChanges>;
  /** Cancels running calls and releases everything. Requests that wait for approval stay pending unless withdrawn. */
  dispose(options?: DisposeOptions): Promise<void>;
}

export interface DisposeOptions {
  /** Deny the pending approvals of this runtime's calls. Default: false. */
  readonly withdraw?: boolean;
}
