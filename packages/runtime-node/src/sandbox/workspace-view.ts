/**
 * The workspace as one run of code sees it. Code writes to the view alone, so what it did can be looked
 * at, recorded and committed like the work of any other tool, and a run that is stopped leaves nothing.
 */
export interface WorkspaceView {
  /** How the launcher finds the view before it makes the box; what it needs to run first. */
  readonly launch: ViewLaunch;
  /** Where this process reads the view from; good from `attach` until `close`. */
  readonly path: string;
  /** The folder whose size is what the code wrote. */
  readonly written: string;
  /** How much of that was there before. */
  readonly startBytes: number;
  /** Called when the launcher has made the view and waits. */
  attach(pid: number): void;
  /** Whether an entry that is in the workspace too may differ from it. */
  isTouched(path: string): boolean;
  /** Whether an entry was in the view when it was made; undefined where the view shows the workspace as it is now. */
  had(path: string): boolean | undefined;
  close(): void;
}

export interface OpenedView {
  readonly view: WorkspaceView;
  /** What the code does not get to see or do in it. */
  readonly warnings: readonly string[];
}

export interface ViewLaunch {
  /** The mount option for the box, its source: `--bind SOURCE` or `--ro-bind SOURCE`. */
  readonly bind: readonly [option: string, source: string];
  /** Programs that run before the box and become it; empty when there is nothing to make. */
  readonly wrapper: readonly string[];
}
