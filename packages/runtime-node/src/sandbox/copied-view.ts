import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError, type WorkspaceStore } from "@haft/core";
import { showPath } from "@haft/core/workspace";
import { inodeKey } from "../fs/inode-key.js";
import { errnoOf } from "../workspace/system-error.js";
import { type CopyOptions, copyWorkspace, markOf, type WorkspaceCopy } from "./copy-workspace.js";
import { makeRunFolder, removeRunFolder } from "./run-folder.js";
import { statsOf } from "./view-entry.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { OpenedView, WorkspaceView } from "./workspace-view.js";

/** The largest workspace to copy if no layer can be mounted over it. */
export const MAX_COPIED = { entries: 20_000, bytes: 256 * 1024 * 1024 } as const;

export function fitsCopy({ open }: Pick<WorkspaceScan, "open">): boolean {
  return open.entries <= MAX_COPIED.entries && open.bytes <= MAX_COPIED.bytes;
}

/** Returns whether a copy without build output is small enough. */
export function fitsCopyWithoutIgnored({ open, openIgnored }: WorkspaceScan): boolean {
  const entries = open.entries - openIgnored.entries;
  return fitsCopy({ open: { entries, bytes: open.bytes - openIgnored.bytes } });
}

export interface CopiedViewOptions {
  readonly workspace: Pick<WorkspaceStore, "root" | "local">;
  readonly scan: WorkspaceScan;
  /** Ignored folders that are not copied. */
  readonly absent?: readonly string[] | undefined;
  /** Whether something is mounted over each path that is left out. */
  readonly isMounted?: boolean;
  /** The folder that holds the folders of runs. */
  readonly parent: string;
  readonly signal: AbortSignal;
}

export interface CopiedView extends OpenedView {
  /** Entries of the workspace that are missing from the copy. For a folder, only the folder itself. */
  readonly unseen: ReadonlySet<string>;
}

/** Copies what code may see and change, without secrets and guarded paths. */
export async function copiedView(setting: CopiedViewOptions): Promise<CopiedView> {
  const { workspace, scan, signal, absent = [] } = setting;
  const folder = makeRunFolder(setting.parent);
  try {
    const copy = join(folder, "copy");
    const left = new Set([...leftOut(scan), ...absent]);
    const isOpen: CopyOptions["isOpen"] = (path, stats) =>
      !left.has(path) && (stats.isSymbolicLink() || (workspace.local?.mayOpen(path) ?? true));
    const copied = await copyWorkspace({ root: workspace.root, copy, isOpen, signal });
    const placeholders = makePlaceholders(
      workspace.root,
      copy,
      setting.isMounted === true ? left : new Set(),
    );
    for (const path of copied.unreadable.keys()) left.add(path);
    return {
      view: viewOf(folder, copied, { left, scan, absent, placeholders }),
      warnings: warningsOf(copied),
      unseen: left,
    };
  } catch (error) {
    void removeRunFolder(folder);
    throw errnoOf(error) === undefined ? error : cannotCopy(error);
  }
}

/** Returns the workspace itself, read-only, if it can be neither layered nor copied. */
export function readOnlyView(root: string): WorkspaceView {
  return {
    launch: { bind: ["--ro-bind", root], wrapper: [] },
    path: root,
    written: root,
    startBytes: Number.POSITIVE_INFINITY,
    attach: () => {},
    isUntouched: () => true,
    isTouched: () => false,
    touchedIn: () => new Set(),
    had: () => undefined,
    close: async () => {},
  };
}

/** Returns what to leave out: the box mounts guarded paths itself, but cannot mount links. */
function leftOut(scan: WorkspaceScan): Set<string> {
  const guarded = [...scan.guarded].filter(([, stats]) => !stats.isSymbolicLink()).map(([path]) => path);
  return new Set([...guarded, ...scan.secret.map(({ path }) => path), ...scan.repositories]);
}

/**
 * Makes what the box mounts over. A folder that code renames takes them along, so they are known by their identity.
 */
function makePlaceholders(root: string, copy: string, left: ReadonlySet<string>): ReadonlySet<string> {
  const made = new Set<string>();
  for (const path of left) {
    const stats = statsOf(`${root}/${path}`);
    const place = `${copy}/${path}`;
    if (stats === undefined || statsOf(dirname(place)) === undefined) continue;
    if (stats.isDirectory()) mkdirSync(place, { recursive: true });
    else writeFileSync(place, "");
    made.add(inodeKey(lstatSync(place)));
  }
  return made;
}

interface ViewParts {
  readonly left: ReadonlySet<string>;
  readonly scan: WorkspaceScan;
  readonly absent: readonly string[];
  readonly placeholders: ReadonlySet<string>;
}

function viewOf(
  folder: string,
  { marks }: WorkspaceCopy,
  { left, scan, absent, placeholders }: ViewParts,
): WorkspaceView {
  const copy = join(folder, "copy");
  return {
    launch: { bind: ["--bind", copy], absent: [...scan.packages, ...absent], wrapper: [] },
    path: copy,
    written: copy,
    startBytes: scan.open.bytes,
    attach: () => {},
    isUntouched: () => false,
    isTouched: (path) => {
      if (left.has(path)) return false;
      const stats = lstatSync(`${copy}/${path}`);
      return stats.isDirectory() || marks.get(path) !== markOf(stats);
    },
    touchedIn: () => undefined,
    had: (path) => marks.has(path),
    isPlaceholder: (stats) => placeholders.has(inodeKey(stats)),
    close: () => removeRunFolder(folder),
  };
}

/** Returns one warning in total: there can be thousands of entries. */
function warningsOf({ unreadable }: WorkspaceCopy): readonly string[] {
  const [first] = unreadable;
  if (first === undefined) return [];
  const others = unreadable.size === 1 ? "" : ` and ${unreadable.size - 1} more`;
  return [`the code did not see ${showPath(first[0])}${others}, which cannot be read (${first[1]})`];
}

function cannotCopy(cause: unknown): ToolError {
  const errno = errnoOf(cause) ?? "unknown";
  return new ToolError("IO_ERROR", `The workspace could not be copied for the code to work on (${errno})`, {
    hint: "The code did not run and nothing was changed. The user has to make room where haft keeps its state; haft doctor names the place.",
    details: { errno },
    cause,
  });
}
