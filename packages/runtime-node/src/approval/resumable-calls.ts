import type { CallOptions, ToolResult, ToolRuntime, WorkspaceStore } from "@haft/core";
import type { ApprovalManager } from "./approval-manager.js";
import type { ApprovalRecord, MadeCall } from "./approval-record.js";
import type { ApprovalResponse } from "./approval-response.js";
import type { ApprovalStore } from "./approval-store.js";
import { firstStalePath, resumeOptions } from "./resume-call.js";

export interface Decided {
  /** What came of the call, when nobody else waited for it. */
  readonly result?: ToolResult;
}

export interface ResumableParts {
  readonly runtime: Pick<ToolRuntime, "call">;
  readonly manager: ApprovalManager;
  readonly store: ApprovalStore;
  readonly workspace: WorkspaceStore;
  /** The calls in hand, where the manager looks them up. */
  readonly made: Map<string, MadeCall>;
}

/** Calls with an id of their own, whose approval may outlive the process that asked for it. */
export class ResumableCalls {
  readonly #parts: ResumableParts;

  constructor(parts: ResumableParts) {
    this.#parts = parts;
  }

  /** A call that is made again after a restart takes up what was asked then. Never rejects. */
  async call(callId: string, call: MadeCall, options: CallOptions): Promise<ToolResult> {
    const orphan = await this.#parts.manager.orphanOf(callId, call).catch(() => undefined);
    if (orphan === undefined || (await this.#isNewQuestion(orphan))) return this.#make(callId, call, options);
    return this.#finish(orphan, options);
  }

  async decide(approvalId: string, response: ApprovalResponse): Promise<Decided> {
    const orphan = await this.#parts.manager.decide(approvalId, response);
    return orphan === undefined ? {} : { result: await this.#finish(orphan) };
  }

  /** Nobody has answered yet and the files have changed. */
  async #isNewQuestion(orphan: ApprovalRecord): Promise<boolean> {
    const { store, workspace } = this.#parts;
    if ((await firstStalePath(orphan, workspace)) === undefined) return false;
    return (await store.decision(orphan.request.stepId).catch(() => undefined)) === undefined;
  }

  async #finish(orphan: ApprovalRecord, options: CallOptions = {}): Promise<ToolResult> {
    const { store, workspace } = this.#parts;
    const resumed = { ...options, ...(await resumeOptions(orphan, workspace)) };
    const result = await this.#make(orphan.request.callId, orphan.call, resumed);
    // Where the call was not asked about any more, the decision has not been used up.
    await store.take(orphan).catch(() => false);
    return result;
  }

  async #make(callId: string, call: MadeCall, options: CallOptions): Promise<ToolResult> {
    const { made, runtime } = this.#parts;
    if (!made.has(callId)) made.set(callId, call);
    try {
      return await runtime.call(call.tool, call.args, { ...options, callId });
    } finally {
      made.delete(callId);
    }
  }
}
