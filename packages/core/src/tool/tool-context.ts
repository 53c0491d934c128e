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

/** What one call may reach: exactly what the tool's permissions open, nothing else. */
export type ToolContext<P extends ToolPermission = never> = CallContext & {
  readonly workspace: WorkspaceFor<P>;
} & If<"ExecuteCommands", P, { readonly processes: ProcessRunner }> &
  If<"RunCode", P, { readonly sandbox: CodeSandbox }> &
  If<"NetworkAccess", P, { readonly network: NetworkClient }>;

export interface CallContext {
  readonly callId: string;
  /** Aborted by the caller, the deadline or the end of the runtime; its reason is a ToolError. */
  readonly signal: AbortSignal;
  /** Milliseconds of active time that are left. */
  remainingMs(): number;
  /** Tells the person watching how far it is. */
  report(progress: Progress): void;
  /** Tells the model something beside the result. */
  warn(message: string): void;
  /** Adds an image to the result; false when the model behind this runtime takes none. */
  attach(image: ImageContent): boolean;
  /** True while a rehearsal or dry run is under way: nothing this call does is real yet. */
  readonly rehearsing: boolean;
}

export interface Progress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
}

/** The methods of the workspace that a set of permissions opens; the others are not there. */
export type WorkspaceFor<P extends ToolPermission> = WorkspaceAnchor &
  If<"ReadFiles", P, WorkspaceReader & { readonly local?: LocalFolder }> &
  If<"WriteFiles", P, WorkspaceWriter> &
  If<"CreateFiles", P, WorkspaceCreator> &
  If<"DeleteFiles", P, WorkspaceRemover> &
  ("WriteFiles" extends P ? If<"CreateFiles", P, WorkspaceMover> : unknown);

type If<Needed extends ToolPermission, P, Then> = Needed extends P ? Then : unknown;
