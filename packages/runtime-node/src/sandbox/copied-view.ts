import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ToolError, type WorkspaceStore } from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";
import { type CopySetting, copyWorkspace, markOf, type WorkspaceCopy } from "./copy-workspace.js";
import { makeRunFolder, removeRunFolder } from "./run-folder.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { OpenedView, WorkspaceView } from "./workspace-view.js";

/** How much of a workspace is copied where no layer can be put over it. */
export const MAX_COPIED = { entries: 20_000, bytes: 256 * 1024 * 1024 } as const;

export function fitsCopy({ open }: WorkspaceScan): boolean {
  return open.entries <= MAX_COPIED.entries && open.bytes <= MAX_COPIED.bytes;
}

export interface CopiedViewSetting {
  readonly workspace: Pick<WorkspaceStore, "root" | "local">;
  readonly scan: WorkspaceScan;
  /** The folder that holds the folders of runs. */
  readonly parent: string;
  readonly signal: AbortSignal;
}

export interface CopiedView extends OpenedView {
  /** What the workspace has and the copy has not; of a folder the folder alone. */
  readonly unseen: ReadonlySet<string>;
}

/** A copy of what code may see and change: neither secrets nor what is guarded is in it. */
export async function copiedView(setting: CopiedViewSetting): Promise<CopiedView> {
  const { workspace, scan, signal } = setting;
  const folder = makeRunFolder(setting.parent);
  try {
    const copy = join(folder, "copy");
    const left = leftOut(scan);
    const isOpen: CopySetting["isOpen"] = (path, stats) =>
      !left.has(path) && (stats.isSymbolicLink() || (workspace.local?.mayOpen(path) ?? true));
    const copied = await copyWorkspace({ root: workspace.root, copy, isOpen, signal });
    for (const path of copied.unreadable.keys()) left.add(path);
    return { view: viewOf(folder, copied, { left, scan }), warnings: warningsOf(copied), unseen: left };
  } catch (error) {
    removeRunFolder(folder);
    throw errnoOf(error) === undefined ? error : cannotCopy(error);
  }
}

/** The workspace itself, when it can be neither layered nor copied: it can be read. */
export function readOnlyView(root: string): WorkspaceView {
  return {
    launch: { bind: ["--ro-bind", root], wrapper: [] },
    path: root,
    written: root,
    startBytes: Number.POSITIVE_INFINITY,
    attach: () => {},
    isTouched: () => false,
    had: () => undefined,
    close: () => {},
  };
}

/** The box puts what is guarded in its place itself; links it cannot. */
function leftOut(scan: WorkspaceScan): Set<string> {
  const guarded = [...scan.guarded].filter(([, stats]) => !stats.isSymbolicLink()).map(([path]) => path);
  return new Set([...guarded, ...scan.secret.map(({ path }) => path), ...scan.repositories]);
}

function viewOf(
  folder: string,
  { marks }: WorkspaceCopy,
  { left, scan }: { left: ReadonlySet<string>; scan: WorkspaceScan },
): WorkspaceView {
  const copy = join(folder, "copy");
  return {
    launch: { bind: ["--bind", copy], wrapper: [] },
    path: copy,
    written: copy,
    startBytes: scan.open.bytes,
    attach: () => {},
    isTouched: (path) => {
      if (left.has(path)) return false;
      const stats = lstatSync(`${copy}/${path}`);
      return stats.isDirectory() || marks.get(path) !== markOf(stats);
    },
    had: (path) => marks.has(path),
    close: () => removeRunFolder(folder),
  };
}

/** Not one line for each: there can be thousands. */
function warningsOf({ unreadable }: WorkspaceCopy): readonly string[] {
  const [first] = unreadable;
  if (first === undefined) return [];
  const others = unreadable.size === 1 ? "" : ` and ${unreadable.size - 1} more`;
  return [`the code did not see ${first[0]}${others}, which cannot be read (${first[1]})`];
}

function cannotCopy(cause: unknown): ToolError {
  const errno = errnoOf(cause) ?? "unknown";
  return new ToolError("IO_ERROR", `The workspace could not be copied for the code to work on (${errno})`, {
    hint: "The code did not run and nothing was changed. The user has to make room where haft keeps its state; haft doctor names the place.",
    details: { errno },
    cause,
  });
}
