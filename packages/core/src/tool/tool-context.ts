import type { CodeSandbox } from "../capability/code-sandbox.js";
import type { NetworkClient } from "../capability/network-client.js";
import type { ProcessRunner } from "../capability/process-runner.js";
import type { ToolPermission } from "../permission/tool-permission.js";
import type { ImageContent } from "../result/content.js";
import type {
  WorkspaceAnchor,
  WorkspaceCreator,
  WorkspaceMover,
  WorkspaceReader,
  WorkspaceRemover,
  WorkspaceWriter,
} from "../workspace/workspace.js";
import type { LocalFolder } from "../workspace/workspace-store.js";

/** What a single call can access: exactly what the tool's permissions grant. */
export type ToolContext<P extends ToolPermission = never> = CallContext & {
  readonly workspace: WorkspaceFor<P>;
} & If<"ExecuteCommands", P, { readonly processes: ProcessRunner }> &
  If<"RunCode", P, { readonly sandbox: CodeSandbox }> &
  If<"NetworkAccess", P, { readonly network: NetworkClient }>;

export interface CallContext {
  readonly callId: string;
  /** Aborted by the caller, the deadline or runtime disposal. Its reason is a ToolError. */
  readonly signal: AbortSignal;
  /** Returns the remaining active time in milliseconds. */
  remainingMs(): number;
  /** Reports progress to the user. */
  report(progress: Progress): void;
  /** Adds a warning for the model alongside the result. */
  warn(message: string): void;
  /** Adds an image to the result. Returns false if the model does not accept images. */
  attach(image: ImageContent): boolean;
  /** True during a rehearsal or dry run: the call has no real effects yet. */
  readonly rehearsing: boolean;
}

export interface Progress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

/** The workspace methods that a set of permissions grants. The others are absent. */
export type WorkspaceFor<P extends ToolPermission> = WorkspaceAnchor &
  If<"ReadFiles", P, WorkspaceReader & { readonly local?: LocalFolder }> &
  If<"WriteFiles", P, WorkspaceWriter> &
  If<"CreateFiles", P, WorkspaceCreator> &
  If<"DeleteFiles", P, WorkspaceRemover> &
  ("WriteFiles" extends P ? If<"CreateFiles", P, WorkspaceMover> : unknown);

type If<Needed extends ToolPermission, P, Then> = Needed extends P ? Then : unknown;
