import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { SandboxRequest } from "@haft/core/capabilities";
import { IgnoreScope } from "@haft/text/path-rules";
import { textIfReadable } from "../fs/if-readable.js";
import { linkedWorktree } from "../process/linked-worktree.js";
import { trackedBelow } from "./tracked-files.js";
import type { WorkspaceScan } from "./workspace-scan.js";

/** Returns whether the last segment names a folder of installed packages. */
export function isPackageFolder(path: string): boolean {
  return path.slice(path.lastIndexOf("/") + 1) === "node_modules";
}

/**
 * Returns whether the repository ignored a folder, in the folder `above` ("" or "a/b/"), when this function was
 * created.
 */
export type IgnoredFolders = (above: string, name: string) => boolean;

/** Reads the repository's rules once: folders that later changes ignore are not shared. */
export function ignoredAtStart(root: string): IgnoredFolders {
  const repository = linkedWorktree(root)?.commonDirectory ?? join(root, ".git");
  if (!isFolder(repository)) return () => false;
  const gitignore = textIfReadable(join(root, ".gitignore"));
  const exclude = textIfReadable(join(repository, "info/exclude"));
  const scope = IgnoreScope.empty.enter("", { gitignore, exclude });
  return (above, name) => scope.ignoresFolder(above, name);
}

export interface SharedFolders {
  readonly paths: readonly string[];
  /** Removes folders that were created for the run and are still empty. */
  close(): void;
}

/** Returns the folders of the workspace that a command works in directly. */
export function sharedFolders(
  root: string,
  scan: Pick<WorkspaceScan, "ignored" | "packages" | "packageRoots">,
  wanted: SandboxRequest["passThrough"] = "none",
): SharedFolders {
  if (wanted === "none") return { paths: [], close: () => {} };
  const isTracked = trackedBelow(root, [...scan.ignored, ...scan.packages]);
  const ignored = scan.ignored.filter((path) => !isTracked(path));
  const packages = scan.packages.filter((path) => !isTracked(path));
  if (wanted === "ignored") return { paths: [...ignored, ...cachesIn(root, packages)], close: () => {} };
  const made = scan.packageRoots
    .map((path) => (path === "" ? "node_modules" : `${path}/node_modules`))
    .filter((path) => isMade(join(root, path)));
  const close = () => {
    for (const path of made) removeIfEmpty(join(root, path));
  };
  return { paths: [...ignored, ...packages, ...made], close };
}

/** Returns the caches that tools keep inside a package folder. */
function cachesIn(root: string, packages: readonly string[]): readonly string[] {
  const places = packages.flatMap((folder) => CACHES.map((name) => `${folder}/${name}`));
  return places.filter((path) => isFolder(join(root, path)));
}

const CACHES = [".cache", ".vite", ".vite-temp", ".vitest"];

/** Creates a folder that an installation needs; in the box it must exist beforehand. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Not empty: something was installed.
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
