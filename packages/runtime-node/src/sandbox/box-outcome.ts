import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { isInside, showPath } from "@haft/core/workspace";
import type { RunContext } from "./box-context.js";
import type { ControlGroup } from "./control-group.js";
import { disablePlanted } from "./disable-planted.js";
import { outcomeOf } from "./limit-hit.js";
import { replaceBuilt } from "./replace-built.js";
import type { SandboxEnd } from "./sandboxed-process.js";
import { viewChanges } from "./view-changes.js";
import type { ViewChanges } from "./view-comparison.js";
import type { WorkspaceView } from "./workspace-view.js";

/** The state of a box when its command ended. */
interface UsedBox {
  readonly view: WorkspaceView;
  readonly group: ControlGroup;
  readonly warnings: readonly string[];
  readonly passedThrough: readonly string[];
  /** The number of processes that belong to the box itself. */
  readonly own: number;
}

interface EndedRun {
  readonly end: SandboxEnd;
  readonly request: SandboxRequest;
  readonly setting: RunContext;
}

/** Returns the result of a run: its output and the changes in its view. */
export async function boxOutcome(
  { view, group, warnings, passedThrough, own }: UsedBox,
  { end, request, setting }: EndedRun,
): Promise<SandboxOutcome> {
  const leftBehind = Number(end.status.split(" ")[0] || 0) > own;
  const outcome = { ...outcomeOf(end, group), leftBehind, passedThrough };
  // The changes are final only when no process is left. One that ended early has left none.
  if (!end.isEarly) await group.remove();
  const told = [...warnings, ...plantedIn(passedThrough, request, setting)];
  if (end.isEarly) return { ...outcome, ...NOTHING_FOUND, warnings: told };
  if (end.endedBy !== undefined)
    return { ...outcome, ...NOTHING_FOUND, warnings: [...told, nothingKept(passedThrough)] };
  const { built, ...found } = await changesOf(view, request, setting);
  return {
    ...outcome,
    ...found,
    passedThrough: [...passedThrough, ...built],
    warnings: [...told, ...found.warnings],
  };
}

/** Returns the changes in a view. Build output that is more than a run may record replaces that of the workspace. */
async function changesOf(
  view: WorkspaceView,
  request: SandboxRequest,
  setting: RunContext,
): Promise<ViewChanges & { readonly built: readonly string[] }> {
  const { workspace, scan, startedAtMs, rebuilt = [] } = setting;
  const isDropped = droppedBy(request);
  const comparison = { workspace, view, scan, startedAtMs, isDropped };
  const found = viewChanges(comparison);
  if (found.unrecorded === undefined || rebuilt.length === 0) return { ...found, built: [] };
  const { replaced, warnings } = await replaceBuilt({
    root: workspace.root,
    view: view.path,
    folders: rebuilt,
  });
  const planted = plantedIn(replaced, request, setting);
  const isBuilt = (path: string) => rebuilt.some((folder) => isInside(path, folder));
  const rest = viewChanges({
    ...comparison,
    isDropped: (path) => isDropped(path) || isBuilt(path),
  });
  return { ...rest, warnings: [...warnings, ...planted, ...rest.warnings], built: replaced };
}

/** Disables what an interrupted run planted. The warnings have no result to go to. */
export async function disableInterrupted(
  { group, passedThrough }: Pick<UsedBox, "group" | "passedThrough">,
  { request, setting }: Pick<EndedRun, "request" | "setting">,
): Promise<void> {
  await group.remove();
  plantedIn(passedThrough, request, setting);
}

function plantedIn(
  shared: readonly string[],
  request: SandboxRequest,
  { workspace, scan, scanner }: RunContext,
): readonly string[] {
  if (shared.length === 0) return [];
  return disablePlanted({ root: workspace.root, shared, before: scan, scan: () => scanner.scan(request) });
}

/**
 * Returns the filter for changes to drop: commands write caches into package folders, except during an installation.
 */
function droppedBy({ kind }: SandboxRequest): (path: string) => boolean {
  return kind === "command" ? (path) => path.split("/").includes("node_modules") : () => false;
}

export const NOTHING_FOUND = { changes: [], conflicts: [] } as const;

/** An interrupted change is not a result that anyone asked for. */
function nothingKept(passedThrough: readonly string[]): string {
  if (passedThrough.length === 0) return NOTHING_KEPT;
  return `${NOTHING_KEPT}, except in ${passedThrough.map(showPath).join(", ")}, which it shared with the workspace`;
}

export const NOTHING_KEPT = "it was stopped, so none of its file changes were kept";
