import type { WorkspaceState } from "../journal/workspace-state.js";
import type { PathGuard } from "./path-guard.js";
import type { PathJail } from "./path-jail.js";

/** What committing, recovering and undoing work with. */
export interface CommitParts {
  readonly jail: PathJail;
  readonly guard: PathGuard;
  readonly state: WorkspaceState;
  /** Permission bits for a new file that nobody chose any for. */
  readonly newFileMode: number;
}
