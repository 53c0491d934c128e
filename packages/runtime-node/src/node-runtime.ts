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
import type { ApprovalRecord, MadeCall } from "./approval/approval-record.js";
import type { ApprovalResponse, Approver } from "./approval/approval-response.js";
import type { ApprovalStore } from "./approval/approval-store.js";
import type { RememberedGrants } from "./approval/remembered-grants.js";
import { firstStalePath, resumeOptions } from "./approval/resume-call.js";
import type { ChangeRecord } from "./journal/change-record.js";
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
}

export interface Decided {
  /** What came of the call, when nobody else waited for it. */
  readonly result?: ToolResult;
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
  });
  const runtime = createToolRuntime(approvals.isAnswered ? { ...parts, gate: manager } : parts);

  const call = (tool: string, args?: unknown, options: CallOptions = {}): Promise<ToolResult> => {
    if (options.callId === undefined || !approvals.isAnswered) return runtime.call(tool, args, options);
    return callWithId(options.callId, { tool, args }, options);
  };

  /** A call that is made again after a restart takes up what was asked then. Never rejects. */
  async function callWithId(callId: string, call: MadeCall, options: CallOptions): Promise<ToolResult> {
    const orphan = await manager.orphanOf(callId, call).catch(() => undefined);
    if (orphan === undefined || (await isNewQuestion(orphan))) return make(callId, call, options);
    return finish(orphan, options);
  }

  /** Nobody has answered yet and the files have changed. */
  async function isNewQuestion(orphan: ApprovalRecord): Promise<boolean> {
    if ((await firstStalePath(orphan, workspace)) === undefined) return false;
    return (await approvals.store.decision(orphan.request.stepId).catch(() => undefined)) === undefined;
  }

  async function finish(orphan: ApprovalRecord, options: CallOptions = {}): Promise<ToolResult> {
    const resumed = { ...options, ...(await resumeOptions(orphan, workspace)) };
    const result = await make(orphan.request.callId, orphan.call, resumed);
    // Where the call was not asked about any more, the decision has not been used up.
    await approvals.store.take(orphan).catch(() => false);
    return result;
  }

  async function make(callId: string, call: MadeCall, options: CallOptions): Promise<ToolResult> {
    if (!made.has(callId)) made.set(callId, call);
    try {
      return await runtime.call(call.tool, call.args, { ...options, callId });
    } finally {
      made.delete(callId);
    }
  }

  const decide = async (approvalId: string, response: ApprovalResponse): Promise<Decided> => {
    if (!approvals.isAnswered) throw notDecidable();
    const orphan = await manager.decide(approvalId, response);
    return orphan === undefined ? {} : { result: await finish(orphan) };
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
    decide,
    grants: {
      list: () => approvals.grants.list(),
      revoke: (id) => approvals.grants.revoke(id),
    },
    changes: async () => workspace.journal.list(),
    undo: async (callId) =>
      (await workspace.undo(callId)).map((change) => parts.redact(describeChange(change))),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

function notDecidable(): ToolError {
  return new ToolError("APPROVAL_NOT_FOUND", "This runtime takes no decisions", {
    hint: "Create it with decidable: true, or with an approver.",
  });
}
