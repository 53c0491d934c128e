import type { ToolResult } from "../result/tool-result.js";
import { keepsApproval } from "../runtime/keep-approval.js";
import type { CallOptions, ToolRuntime } from "../runtime/tool-runtime.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import type { ApprovalAnswer } from "./approval-answer.js";
import type { ApprovalManager } from "./approval-manager.js";
import type { ApprovalRecord, ApprovalStore, MadeCall } from "./approval-store.js";
import { firstStalePath, resumeOptions } from "./resume-call.js";

export interface Decided {
  /** The result of the call, if no other process waited for it. */
  readonly result?: ToolResult;
}

interface ResumableParts {
  readonly runtime: Pick<ToolRuntime, "call">;
  readonly manager: ApprovalManager;
  readonly store: ApprovalStore;
  readonly workspace: WorkspaceStore;
  /** The running calls, where the manager looks them up. */
  readonly running: Map<string, MadeCall>;
}

/** Calls with an id of their own, whose approval may outlive the process that asked for it. */
export class ResumableCalls {
  readonly #parts: ResumableParts;

  constructor(parts: ResumableParts) {
    this.#parts = parts;
  }

  /** A call repeated after a restart continues with its stored approval request. Never rejects. */
  async call(callId: string, call: MadeCall, options: CallOptions): Promise<ToolResult> {
    const orphan = await this.#parts.manager.orphanOf(callId, call).catch(() => undefined);
    if (orphan === undefined || (await this.#isNewQuestion(orphan))) return this.#make(callId, call, options);
    return this.#finish(orphan, options);
  }

  async decide(approvalId: string, answer: ApprovalAnswer): Promise<Decided> {
    const orphan = await this.#parts.manager.decide(approvalId, answer);
    return orphan === undefined ? {} : { result: await this.#finish(orphan) };
  }

  /** The request is unanswered and the files have changed. */
  async #isNewQuestion(orphan: ApprovalRecord): Promise<boolean> {
    const { store, workspace } = this.#parts;
    if ((await firstStalePath(orphan, workspace)) === undefined) return false;
    return (await store.decision(orphan.request.stepId).catch(() => undefined)) === undefined;
  }

  async #finish(orphan: ApprovalRecord, options: CallOptions = {}): Promise<ToolResult> {
    const { store, workspace } = this.#parts;
    const resumed = { ...options, ...(await resumeOptions(orphan, workspace)) };
    const result = await this.#make(orphan.request.callId, orphan.call, resumed);
    // Set aside again: the request stays pending.
    if (keepsApproval(resumed.signal?.reason)) return result;
    // If the call was not asked about again, the decision is still unused.
    await store.take(orphan.request.stepId).catch(() => false);
    return result;
  }

  async #make(callId: string, call: MadeCall, options: CallOptions): Promise<ToolResult> {
    const { running, runtime } = this.#parts;
    if (!running.has(callId)) running.set(callId, call);
    try {
      return await runtime.call(call.tool, call.args, { ...options, callId });
    } finally {
      running.delete(callId);
    }
  }
}
