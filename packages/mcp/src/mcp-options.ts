import type { Approver, ToolRuntime } from "@haft/core";

/** A runtime, or a function that opens one for a client. */
export type RuntimeSource = ToolRuntime | OpenRuntime;

export type OpenRuntime = (context: RuntimeContext) => Promise<ToolRuntime>;

export interface RuntimeContext {
  /** Asks the user of the client. Undefined if no one can be asked. */
  readonly approver: Approver | undefined;
  /** The first folder among the client's roots, absolute. Undefined if there is none. */
  readonly root: string | undefined;
}

export type StructuredMode = "auto" | "always" | "never";

export interface McpOptions {
  readonly version: string;
  /** The server's name. Default: haft. */
  readonly name?: string;
  /** Instructions that clients may show their model. */
  readonly instructions?: string;
  /**
   * Who approves: "ask" asks the client's user and refuses if that is impossible; "all" asks if possible and approves
   * otherwise; "none" refuses without asking. Default: ask.
   */
  readonly approve?: "ask" | "all" | "none";
  /** How long the user may take to answer. Default: five minutes. */
  readonly approvalTimeoutMs?: number;
  /** Use the client's first root as the workspace. Default: false. */
  readonly useClientRoots?: boolean;
  /** Execute every call as a dry run. Default: false. */
  readonly dryRun?: boolean;
  /**
   * Whether results include `structuredContent`. "auto" omits it for clients that would show it to the model instead of
   * the text. Default: auto.
   */
  readonly structured?: StructuredMode;
  /** Called for errors outside of responses. */
  onError?(error: Error): void;
}

export const DEFAULT_APPROVAL_TIMEOUT_MS = 300_000;
