import type { DurableEvent, RunOptions } from "@haft/agent";
import type { Approver, ToolRuntime } from "@haft/core";
import type { RunJournalStore } from "@haft/core/stores";
import type { NodeRuntime } from "@haft/runtime-node";
import type { TrustQuestion } from "../protocol.js";

/** A folder that the console serves, and how to open runtimes for it. */
export interface ConsoleWorkspace {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Keeps the journals of runs. Other processes may write to it as well. */
  readonly runs: RunJournalStore<DurableEvent>;
  /** Opens a runtime over the folder, for everything but runs. */
  openRuntime(request: RuntimeRequest): Promise<NodeRuntime>;
  /**
   * Prepares a run with a runtime of its own: a decidable one over the folder, or one whose calls a worker executes, whose
   * approvals are on the page of the team. Rejects with a ToolError if no model is configured.
   */
  openRun(): Promise<PreparedRun>;
  /** Present where the folder's configuration needs trust before it counts. */
  readonly trust?: WorkspaceTrust;
}

export interface WorkspaceTrust {
  /** Undefined when there is nothing to trust. */
  question(): Promise<TrustQuestion | undefined>;
  /** Trusts or declines the content that `digest` names. Rejects if the configuration has changed since. */
  decide(digest: string, isTrusted: boolean): Promise<void>;
}

export interface PreparedRun
  extends Pick<RunOptions, "model" | "limits" | "style" | "deferTools" | "project"> {
  readonly runtime: ToolRuntime;
}

export interface RuntimeRequest {
  /** Answers approvals without asking: for changes that a person makes in the editor. */
  readonly approver?: Approver;
  /** Approvals wait for `decide`. */
  readonly decidable?: boolean;
}
