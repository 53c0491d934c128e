import type { Stats } from "node:fs";

/**
 * The workspace as one run of code sees it. Code writes only to the view, so its changes can be inspected, recorded
 * and committed like those of any other tool, and a stopped run leaves nothing.
 */
export interface WorkspaceView {
  /** How the launcher prepares the view before it creates the box. */
  readonly launch: ViewLaunch;
  /** Where this process reads the view; valid from `attach` until `close`. */
  readonly path: string;
  /** The folder that holds everything the code wrote. */
  readonly written: string;
  /** Its initial size. */
  readonly startBytes: number;
  /** Called when the launcher has created the view and waits. */
  attach(pid: number): void;
  /** Returns whether nothing was written so far; false if only a full comparison could tell. */
  isUntouched(): boolean;
  /** Returns whether an entry that also exists in the workspace may differ. */
  isTouched(path: string): boolean;
  /** Returns the names in a folder that may differ from the workspace, or undefined if all may. */
  touchedIn(folder: string): ReadonlySet<string> | undefined;
  /**
   * Returns whether an entry was in the view when it was created; undefined if the view shows the current workspace.
   */
  had(path: string): boolean | undefined;
  /** Returns whether an entry is a placeholder for one of the mounts of the box, wherever it is now. */
  isPlaceholder?(stats: Stats): boolean;
  /** Removes the files of the view; a large one in the background. */
  close(): Promise<void>;
}

export interface OpenedView {
  readonly view: WorkspaceView;
  /** The restrictions of the view. */
  readonly warnings: readonly string[];
}

export interface ViewLaunch {
  /** The mount option for the box and its source: `--bind SOURCE` or `--ro-bind SOURCE`. */
  readonly bind: readonly [option: string, source: string];
  /** Folders of the workspace that the view does not hold. The box shows them read-only. */
  readonly absent?: readonly string[];
  /** Programs that run before the box and become it. Empty if there is nothing to prepare. */
  readonly wrapper: readonly string[];
}
