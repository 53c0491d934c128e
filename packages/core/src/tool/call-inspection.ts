import type { ToolError } from "../error/tool-error.js";
import type { Token } from "../service/token.js";
import type { WorkspaceReader } from "../workspace/workspace.js";

/** What a tool reports about a call before the policy decides it. */
export interface CallInspection {
  /** Set by a tool that runs a command. */
  readonly command?: CommandFacts | undefined;
  /** Set by a tool that accesses a URL. */
  readonly url?: string | undefined;
  /**
   * Lists the workspace files that determine what the call does, such as the script it runs. An approval covers their
   * content. Called before the approval request and again before the call runs, because patterns can match other files
   * by then.
   */
  operands?(): readonly string[] | Promise<readonly string[]>;
  /** The error the call would fail with. The kernel throws it before requesting approval. */
  readonly refusal?: ToolError | undefined;
}

export interface InspectFacts {
  /** Returns a service of this runtime, for access to the host's configuration. */
  service<T>(token: Token<T>): T;
  /** Returns what is at a workspace path. Rejects as it would for a file tool, for example outside the workspace. */
  readonly stat: WorkspaceReader["stat"];
}

/** A parsed command line. Rules match these words, never the raw text. */
export interface CommandFacts {
  readonly text: string;
  /** Every simple command, including those in pipes, lists, substitutions and behind wrappers such as `timeout 5 …`. */
  readonly commands: readonly SimpleCommand[];
  /** False if part of the command line could not be parsed. A rule must not allow it then. */
  readonly isComplete: boolean;
}

export interface SimpleCommand {
  /** The words after quote removal; null marks one or more words known only when the command runs. */
  readonly argv: readonly (string | null)[];
  /** True if another command in the list starts this one. */
  readonly isWrapped?: boolean | undefined;
}
