import type { ApprovalAnswer, ApprovalRequest, ToolResult, ToolRuntime } from "@haft/core";

/** A runtime whose approvals can be answered from outside, such as `createNodeRuntime({ decidable: true })`. */
export interface DecidableRuntime extends ToolRuntime {
  pending(): Promise<readonly (ApprovalRequest & { readonly approvalId: string })[]>;
  decide(approvalId: string, answer: ApprovalAnswer): Promise<DecidedCall>;
}

export interface DecidedCall {
  /** The result of a call that has no other waiter. */
  readonly result?: ToolResult;
}

/** A call from an agent library, with the library's own id. */
export interface LibraryCall {
  readonly tool: string;
  readonly args: unknown;
  readonly callId: string;
}

export type PendingCall = Pick<LibraryCall, "callId" | "tool">;

export interface Denial {
  readonly reason?: string | undefined;
}
