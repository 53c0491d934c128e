import {
  type CallOptions,
  type ChangeSummary,
  createToolRuntime,
  describeChange,
  type Redact,
  type RuntimeParts,
  ToolError,
  type ToolResult,
  type ToolRuntime,
} from "@haft/core";
import { ApprovalManager, type PendingApproval } from "./approval/approval-manager.js";
import type { MadeCall } from "./approval/approval-record.js";
import type { ApprovalResponse, Approver } from "./approval/approval-response.js";
import type { ApprovalStore } from "./approval/approval-store.js";
import type { RememberedGrants } from "./approval/remembered-grants.js";
import { type Decided, ResumableCalls } from "./approval/resumable-calls.js";
import type { ChangeRecord } from "./journal/change-record.js";
import type { ForgottenChanges } from "./journal/forget-changes.js";
import type { NodeWorkspace } from "./workspace/node-workspace.js";

/** Runs calls over a real folder; asks, remembers, and can take back what was done. */
export interface NodeRuntime extends ToolRuntime, AsyncDisposable {
  /** What waits for an answer in this workspace, also for calls whose process is gone. */
  pending(): Promise<readonly PendingApproval[]>;
  /**
   * Decides a pending approval. When the process that asked is gone, its call is made here, if what
   * it would do is still what was shown. Rejects with ALREADY_DECIDED or APPROVAL_NOT_FOUND.
   */
  decide(approvalId: string, response: ApprovalResponse): Promise<Decided>;
  /** What need not be asked again: list, revoke. */
  readonly grants: Pick<RememberedGrants, "list" | "revoke">;
  /** The journal of file changes in this workspace, newest last, whichever process made them. */
  changes(): Promise<readonly ChangeRecord[]>;
  /** Takes back the file changes of a call, or of the newest; what that changed. Rejects with ToolError. */
  undo(callId?: string): Promise<readonly ChangeSummary[]>;
  /** Forgets the journal and lets go of all that was kept to undo it: nothing done so far can be taken back any more. */
  forgetChanges(): Promise<ForgottenChanges>;
}

export interface NodeRuntimeParts extends RuntimeParts {
  readonly workspace: NodeWorkspace;
  readonly redact: Redact;
}

export interface ApprovalParts {
  readonly store: ApprovalStore;
  readonly grants: RememberedGrants;
  readonly approver?: Approver | undefined;
  /** Whether anybody can answer; if not there is no gate and a call that needs approval is refused. */
  readonly isAnswered: boolean;
  readonly timeoutMs: number;
}

/** The kernel's runtime, with approvals that outlive it and changes that can be taken back. */
export function nodeRuntime(parts: NodeRuntimeParts, approvals: ApprovalParts): NodeRuntime {
  const { workspace, role } = parts;
  const made = new Map<string, MadeCall>();
  const manager = new ApprovalManager({
    ...approvals,
    role: role.name,
    workspace: workspace.root,
    callOf: (callId) => made.get(callId),
    redact: parts.redact,
  });
  const runtime = createToolRuntime(approvals.isAnswered ? { ...parts, gate: manager } : parts);
  const calls = new ResumableCalls({ runtime, manager, made, store: approvals.store, workspace });

  const call = (tool: string, args?: unknown, options: CallOptions = {}): Promise<ToolResult> => {
    if (options.callId === undefined || !approvals.isAnswered) return runtime.call(tool, args, options);
    return calls.call(options.callId, { tool, args }, options);
  };
  const dispose = async (): Promise<void> => {
    await runtime.dispose();
    await manager.idle();
  };
  return {
    ...runtime,
    call,
    run: (definition, args, options) => call(definition.name, args, options) as Promise<ToolResult<never>>,
    pending: () => manager.pending(),
    decide: async (approvalId, response) => {
      if (!approvals.isAnswered) throw notDecidable();
      return calls.decide(approvalId, response);
    },
    grants: {
      list: () => approvals.grants.list(),
      revoke: (id) => approvals.grants.revoke(id),
    },
    changes: async () => parts.redact(workspace.journal.list()),
    undo: async (callId) =>
      (await workspace.undo(callId)).map((change) => parts.redact(describeChange(change))),
    forgetChanges: () => workspace.forget(),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

function notDecidable(): ToolError {
  return new ToolError("APPROVAL_NOT_FOUND", "This runtime takes no decisions", {
    hint: "Create it with decidable: true, or with an approver.",
  });
}
