import type { ApprovalAnswer, CallOptions, ShownFile, ToolResult, ToolRuntime } from "@haft/core";

/**
 * The part of a runtime that the loop uses; `createNodeRuntime` provides all of it. Validation, policy, locks, writes
 * and approvals belong to the runtime.
 */
export interface AgentRuntime
  extends Pick<ToolRuntime, "tools" | "watch" | "role" | "workspace">,
    Partial<Pick<ToolRuntime, "seen">> {
  call(tool: string, args?: unknown, options?: CallOptions): Promise<ToolResult>;
  /** Answers a pending approval. */
  decide?(approvalId: string, answer: ApprovalAnswer): Promise<unknown>;
  /** The journal of file changes, used to determine the effect of a call whose process died. */
  changes?(): Promise<readonly JournalledCall[]>;
  /** Returns the result of a call that was made before this process started, once it has one; undefined if the runtime does not know the call. */
  resultOf?(callId: string, signal?: AbortSignal): Promise<ToolResult | undefined>;
}

export interface JournalledCall {
  readonly callId: string;
  readonly state: string;
  readonly changes: readonly { readonly kind: string; readonly path: string }[];
}

export type SeenFiles = readonly ShownFile[];
