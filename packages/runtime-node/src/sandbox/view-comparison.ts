import type { WorkspaceStore } from "@haft/core";
import type { SandboxOutcome } from "@haft/core/capabilities";
import type { RunStart } from "./foreign-entry.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

/** The inputs of comparing a view with its workspace. */
export interface ViewComparison extends RunStart {
  readonly workspace: Pick<WorkspaceStore, "root" | "vet">;
  readonly view: Pick<WorkspaceView, "path" | "isTouched" | "touchedIn" | "had" | "isPlaceholder">;
  readonly scan: Pick<WorkspaceScan, "guarded" | "secret">;
  /** Returns true for changes to drop silently. */
  readonly isDropped?: ((path: string) => boolean) | undefined;
}

export type ViewChanges = Pick<
  SandboxOutcome,
  "changes" | "conflicts" | "warnings" | "isPartial" | "unrecorded"
>;
