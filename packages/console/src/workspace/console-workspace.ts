import type { DurableEvent, RunOptions } from "@haft/agent";
import type { Approver, ToolRuntime } from "@haft/core";
import type { RunJournalStore } from "@haft/core/stores";
import type { NodeRuntime } from "@haft/runtime-node";
import type { TrustQuestion } from "../protocol.js";

/** A folder that the console serves, and how to open runtimes for it. */
export interface ConsoleWorkspace {
  /** Absolute, with links resolved. */
  readonly root: string;
  /** Keeps the journals of runs. Other processes may write to it as well. */
  readonly runs: RunJournalStore<DurableEvent>;
  /** Opens a runtime over the folder for everything except runs. */
  openRuntime(request: RuntimeRequest): Promise<NodeRuntime>;
  /**
   * Prepares a run with its own runtime: a decidable one over the folder, or a remote one, whose approvals appear on
   * the team page. Rejects with a ToolError if no model is configured.
   */
  openRun(): Promise<PreparedRun>;
  /** Present if the folder's configuration needs trust. */
  readonly trust?: WorkspaceTrust;
}

export interface WorkspaceTrust {
  /** Undefined if there is nothing to trust. */
  question(): Promise<TrustQuestion | undefined>;
  /** Trusts or declines the content that `digest` names. Rejects if the configuration has changed since. */
  decide(digest: string, isTrusted: boolean): Promise<void>;
}

export interface PreparedRun
  extends Pick<RunOptions, "model" | "limits" | "style" | "deferTools" | "project"> {
  readonly runtime: ToolRuntime;
}

export interface RuntimeRequest {
  /** Approves without a prompt: for changes that a person makes in the editor. */
  readonly approver?: Approver;
  /** Approvals wait for `decide`. */
  readonly decidable?: boolean;
}
