import type { ApprovalAnswer, ShownFile, ToolRuntime } from "@haft/core";

/**
 * What the loop needs of a runtime; `createNodeRuntime` gives all of it. Validation, policy, locks,
 * writing and asking are the runtime's alone.
 */
export interface AgentRuntime
  extends Pick<ToolRuntime, "call" | "tools" | "watch" | "role" | "workspace">,
    Partial<Pick<ToolRuntime, "seen">> {
  /** Answers what a call waits for. */
  decide?(approvalId: string, response: RunAnswer): Promise<unknown>;
  /** The journal of file changes, to tell what a call had done before its process died. */
  changes?(): Promise<readonly JournalledCall[]>;
}

/** An answer to an approval. Only `approved === true` approves. */
export interface RunAnswer {
  readonly approved: boolean;
  /** Run with these arguments instead. */
  readonly modifiedArgs?: unknown;
  /** Goes to the model with a denial. */
  readonly feedback?: string;
  readonly remember?: NonNullable<ApprovalAnswer["remember"]>;
}

export interface JournalledCall {
  readonly callId: string;
  readonly state: string;
  readonly changes: readonly { readonly kind: string; readonly path: string }[];
}

export type SeenFiles = readonly ShownFile[];
