import { execFile } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { namesIfReadable } from "../fs/if-readable.js";
import { inodeKey } from "../fs/inode-key.js";
import { markOf } from "./copy-workspace.js";
import { SCRUBBED } from "./find-bubblewrap.js";
import { identitiesIn, LIFT, NOTHING_LIFTED, writeLists } from "./lift-folders.js";
import { makeRunFolder, removeRunFolder } from "./run-folder.js";
import { statsOf } from "./view-entry.js";
import type { WorkspaceView } from "./workspace-view.js";

/** A way to mount an overlay on this machine, with a folder for its upper layer. */
export interface OverlayWay {
  readonly unshare: readonly string[];
  readonly options: string;
  readonly folder: string;
}

/** Tries the ways, best first. Returns undefined if none works. */
export async function findOverlayWay(
  folders: readonly string[],
  ways: readonly Omit<OverlayWay, "folder">[] = OVERLAY_WAYS,
): Promise<OverlayWay | undefined> {
  for (const folder of folders)
    for (const way of ways) {
      const found = { ...way, folder };
      if (await works(found)) return found;
    }
  return undefined;
}

/**
 * Mounts a layer that takes every write; the workspace below it is only read. It renames no folder of the workspace,
 * except those in `lifted`: they are copied into the layer first, without what the box masks.
 */
export function overlayView(root: string, way: OverlayWay, lifted = NOTHING_LIFTED): WorkspaceView {
  const folder = layersIn(way.folder, root);
  const upper = join(folder, "upper");
  const startMode = statSync(upper).mode;
  let marks: ReadonlyMap<string, string> = new Map();
  let placeholders: ReadonlySet<string> = new Set();
  let descriptor: number | undefined;
  const hidden = new Set(lifted.hidden.map(({ path }) => path));
  const isLifting = lifted.folders.length > 0;
  if (isLifting) writeLists(folder, lifted);
  return {
    launch: { bind: ["--bind", join(folder, "merged")], wrapper: wrapperOf(way, folder, isLifting) },
    written: upper,
    startBytes: 0,
    get path() {
      if (descriptor === undefined) throw new Error("the layer was not mounted");
      return `/proc/self/fd/${descriptor}`;
    },
    attach(pid) {
      // An open descriptor keeps the layer readable after its mount namespace is gone.
      const merged = `/proc/${pid}/root${join(folder, "merged")}`;
      descriptor = openSync(merged, constants.O_RDONLY | constants.O_DIRECTORY);
      const isThere = (path: string) => existsSync(join(upper, path));
      marks = marksIn(this.path, lifted.folders.filter(isThere));
      placeholders = identitiesIn(
        this.path,
        lifted.hidden.filter(({ path }) => isThere(path)),
      );
    },
    // Only asked about what `touchedIn` names: written entries, and copies.
    isTouched(path) {
      if (hidden.has(path)) return false;
      const mark = marks.get(path);
      return mark === undefined || mark !== markOf(lstatSync(`${this.path}/${path}`));
    },
    touchedIn: (path) => new Set(namesIfReadable(`${upper}/${path}`)),
    isUntouched: () => readdirSync(upper).length === 0 && statSync(upper).mode === startMode,
    had: () => undefined,
    isPlaceholder: (stats) => placeholders.has(inodeKey(stats)),
    async close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      await removeRunFolder(folder);
    },
  };
}

/** Returns a mark for each entry below the folders, by path. A folder has none: those in it may differ. */
function marksIn(view: string, folders: readonly string[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  const mark = (path: string): void => {
    const stats = statsOf(`${view}/${path}`);
    // Its name is not UTF-8.
    if (stats === undefined) return;
    if (stats.isDirectory()) for (const name of readdirSync(`${view}/${path}`)) mark(`${path}/${name}`);
    else marks.set(path, markOf(stats));
  };
  for (const folder of folders) mark(folder);
  return marks;
}

/** The launcher reports on this descriptor that the layer is mounted, and waits there for an answer. */
const READY_DESCRIPTOR = 6;

/**
 * The first way is for root, without a user namespace, which would map only one user and one group. Without redirects a
 * folder of the workspace cannot be renamed (EXDEV), so `mv` copies what the box may read. A renamed folder would show
 * the files that are masked in the box under a new name, and could not be told from another one of the same age.
 */
export const OVERLAY_WAYS: readonly Omit<OverlayWay, "folder">[] = [
  { unshare: ["--mount"], options: "redirect_dir=off" },
  { unshare: ["--user", "--map-root-user", "--mount"], options: "userxattr" },
];

/** Creates names in the folder, so that `mount` options need no escaping of workspace paths. */
function layersIn(parent: string, root: string): string {
  const folder = makeRunFolder(parent);
  for (const name of ["upper", "work", "merged"]) mkdirSync(join(folder, name), { mode: 0o755 });
  // The root of a layer has its permissions from above.
  chmodSync(join(folder, "upper"), statSync(root).mode & 0o777);
  symlinkSync(root, join(folder, "lower"));
  return folder;
}

function wrapperOf(way: OverlayWay, folder: string, isLifting: boolean): readonly string[] {
  const script = `${MOUNT} || exit 125\n${isLifting ? LIFT : ""}\necho >&${READY_DESCRIPTOR}; read -r go <&${READY_DESCRIPTOR} || exit 125; shift 2; unset OLDPWD PWD; exec "$@" ${READY_DESCRIPTOR}>&-`;
  return ["unshare", ...way.unshare, "--", ...inShell(script, way, folder)];
}

const MOUNT = 'cd "$1" && mount -t overlay haft -o "lowerdir=lower,upperdir=upper,workdir=work,$2" merged';

function inShell(script: string, { options }: OverlayWay, folder: string): readonly string[] {
  return ["/bin/sh", "-c", script, "sh", folder, options];
}

async function works(way: OverlayWay): Promise<boolean> {
  let folder: string | undefined;
  try {
    folder = layersIn(way.folder, "/usr");
    const script = `${MOUNT} && echo x > merged/haft-probe && rm merged/haft-probe`;
    const args = [...way.unshare, "--", ...inShell(script, way, folder)];
    await promisify(execFile)("unshare", args, { env: SCRUBBED, timeout: PROBE_MS });
    return true;
  } catch {
    return false;
  } finally {
    if (folder !== undefined) void removeRunFolder(folder);
  }
}

const PROBE_MS = 5_000;
