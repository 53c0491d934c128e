import { constants, cpSync, lstatSync, mkdirSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { makeRunFolder, removeRunFolder } from "./run-folder.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceView } from "./workspace-view.js";

/** How much of a workspace is copied where no layer can be put over it. */
export const MAX_COPIED = { entries: 20_000, bytes: 256 * 1024 * 1024 } as const;

export function fitsCopy({ open }: WorkspaceScan): boolean {
  return open.entries <= MAX_COPIED.entries && open.bytes <= MAX_COPIED.bytes;
}

/** A copy of what code may see and change: neither secrets nor what is guarded is in it. */
export function copiedView(root: string, scan: WorkspaceScan, parent: string): WorkspaceView {
  const folder = makeRunFolder(parent);
  const copy = join(folder, "copy");
  // The box puts them in their places itself; links it cannot.
  const guarded = [...scan.guarded].filter(([, stats]) => !stats.isSymbolicLink()).map(([path]) => path);
  const left = new Set([...guarded, ...scan.secret.map(({ path }) => path)]);
  copyInto(copy, root, left);
  const marks = new Map<string, string>();
  markBelow(copy, "", marks);
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
    close: () => removeRunFolder(folder),
  };
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
    close: () => {},
  };
}

function copyInto(copy: string, root: string, left: ReadonlySet<string>): void {
  mkdirSync(copy, { mode: 0o755 });
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (source) => !left.has(source.slice(root.length + 1)) && isCopied(lstatSync(source)),
  });
}

/** Pipes, sockets and devices are nobody's content. */
function isCopied(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
}

function markBelow(copy: string, directory: string, marks: Map<string, string>): void {
  for (const entry of readdirSync(join(copy, directory), { withFileTypes: true })) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory()) markBelow(copy, path, marks);
    else marks.set(path, markOf(lstatSync(`${copy}/${path}`)));
  }
}

/** Differs after any write, also one that sets the times back. */
function markOf({ ino, mode, size, ctimeMs }: Stats): string {
  return `${ino} ${mode} ${size} ${ctimeMs}`;
}
