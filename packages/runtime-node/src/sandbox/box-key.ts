import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { SandboxRequest } from "@haft/core/capabilities";
import { linkedWorktree } from "../process/linked-worktree.js";
import type { WorkspaceScan } from "./workspace-scan.js";

/** Decides whether an existing box can serve a command. */
export interface BoxKey {
  /** Groups commands that see and may write the same things. */
  readonly kind: string;
  /**
   * Everything mounted in the box: hidden, guarded and shared paths, with their identity and that of the folders that
   * hold them. If a folder was replaced, an existing box still shows the old one. If a path was replaced, the kernel has
   * removed the mount that hid it.
   */
  readonly mounts: string;
}

export function boxKey(
  { passThrough = "none", repository = "masked", gitFolders = [], reads = false }: SandboxRequest,
  { scan, root }: { readonly scan: WorkspaceScan; readonly root: string },
): BoxKey {
  const secret = scan.secret.map(({ path, isDirectory }) => `${path}${isDirectory ? "/" : ""}`);
  const mounted = [...secret, ...scan.guarded.keys(), ...scan.repositories, ...scan.ignored];
  const entries = new Set(mounted.flatMap((path) => [dirname(path), path]));
  const mounts = [
    passThrough === "none" ? [] : [scan.ignored, scan.packages],
    mounted,
    [...entries].map((path) => `${path} ${identityOf(`${root}/${path}`)}`),
  ];
  const seen = repository === "masked" ? [] : [...gitFolders, linkedWorktree(root)?.commonDirectory];
  return { kind: JSON.stringify([passThrough, repository, seen, reads]), mounts: JSON.stringify(mounts) };
}

/** A number is used again for another file; the time of birth is not. */
function identityOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? "" : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}
