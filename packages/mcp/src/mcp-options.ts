import type { ApprovalAnswer, ApprovalGate, ApprovalRequest, ToolRuntime } from "@haft/core";

/** A runtime that is ready, or how to open one once it is known what the client offers. */
export type RuntimeSource = ToolRuntime | OpenRuntime;

export type OpenRuntime = (setting: RuntimeSetting) => Promise<ToolRuntime>;

export interface RuntimeSetting {
  /** Asks the person behind the client; undefined when nobody can be asked, so that the runtime knows. */
  readonly gate: ClientGate | undefined;
  /** The first folder among the client's roots, absolute; undefined when it offers none. */
  readonly root: string | undefined;
}

/** A gate that needs to know no more than what is shown. */
export interface ClientGate extends ApprovalGate {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
}

export interface McpOptions {
  readonly version: string;
  /** How the server introduces itself. Default: haft. */
  readonly name?: string;
  /** What a client may show its model about the server as a whole. */
  readonly instructions?: string;
  /** Decides where the client cannot be asked: "all" approves, anything else refuses. Default: none. */
  readonly approve?: "ask" | "all" | "none";
  /** How long a person may take to answer. Default: five minutes. */
  readonly approvalTimeoutMs?: number;
  /** Take the workspace from the client's roots. Default: false. */
  readonly useClientRoots?: boolean;
  /** Rehearse every call and apply none. Default: false. */
  readonly dryRun?: boolean;
  /** Hears what went wrong beside the answers. */
  onError?(error: Error): void;
}

export const DEFAULT_APPROVAL_TIMEOUT_MS = 300_000;
