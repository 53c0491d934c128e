import type { WorkspaceState } from "../journal/workspace-state.js";
import type { PathGuard } from "./path-guard.js";
import type { PathJail } from "./path-jail.js";

/** The parts that commit, recovery and undo share. */
export interface CommitParts {
  readonly jail: PathJail;
  readonly guard: PathGuard;
  readonly state: WorkspaceState;
  /** Default permission bits of a new file. */
  readonly newFileMode: number;
}
