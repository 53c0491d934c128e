import { execFile } from "node:child_process";
import { closeSync, constants, lstatSync, mkdirSync, openSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { SCRUBBED } from "./find-bubblewrap.js";
import { makeRunFolder, removeRunFolder } from "./run-folder.js";
import type { WorkspaceView } from "./workspace-view.js";

/** How an overlay can be mounted on this machine, and a folder its upper layer can lie in. */
export interface OverlayWay {
  readonly unshare: readonly string[];
  readonly options: string;
  readonly folder: string;
}

/** Tries the ways that there are, best first; undefined where none works. */
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

/** A layer over the workspace that takes every write; the workspace below it is only read. */
export function overlayView(root: string, way: OverlayWay): WorkspaceView {
  const folder = layersIn(way.folder, root);
  const upper = join(folder, "upper");
  let descriptor: number | undefined;
  return {
    launch: { bind: ["--bind", join(folder, "merged")], wrapper: wrapperOf(way, folder) },
    written: upper,
    startBytes: 0,
    get path() {
      if (descriptor === undefined) throw new Error("the layer was not mounted");
      return `/proc/self/fd/${descriptor}`;
    },
    attach(pid) {
      // Held by a descriptor the layer stays readable when the namespace it was mounted in is gone.
      const merged = `/proc/${pid}/root${join(folder, "merged")}`;
      descriptor = openSync(merged, constants.O_RDONLY | constants.O_DIRECTORY);
    },
    isTouched: (path) => lstatSync(`${upper}/${path}`, { throwIfNoEntry: false }) !== undefined,
    had: () => undefined,
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      removeRunFolder(folder);
    },
  };
}

/** What says on descriptor 6 that the layer is there, and waits there to go on. */
export const READY_DESCRIPTOR = 6;

/** For root without a namespace of users, which would know one user and one group only. */
export const OVERLAY_WAYS: readonly Omit<OverlayWay, "folder">[] = [
  { unshare: ["--mount"], options: "redirect_dir=on" },
  { unshare: ["--user", "--map-root-user", "--mount"], options: "userxattr" },
];

/** Names in the folder, so that no path of a workspace has to be escaped for `mount`. */
function layersIn(parent: string, root: string): string {
  const folder = makeRunFolder(parent);
  for (const name of ["upper", "work", "merged"]) mkdirSync(join(folder, name), { mode: 0o755 });
  symlinkSync(root, join(folder, "lower"));
  return folder;
}

function wrapperOf(way: OverlayWay, folder: string): readonly string[] {
  const script = `${MOUNT} || exit 125; echo >&${READY_DESCRIPTOR}; read -r go <&${READY_DESCRIPTOR} || exit 125; shift 2; exec "$@" ${READY_DESCRIPTOR}>&-`;
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
    if (folder !== undefined) removeRunFolder(folder);
  }
}

const PROBE_MS = 5_000;
