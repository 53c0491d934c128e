import { lstatSync } from "node:fs";
import type { FileFacts, ListRequest, RawListing } from "../walk/file-listing.js";
import type { FolderSource } from "./folder-view.js";
import { HeldPaths } from "./held-paths.js";
import { Slice } from "./in-slices.js";
import { TreeWalker } from "./tree-walker.js";

export interface ListedFolder {
  readonly root: string;
  readonly folders: FolderSource;
  mayOpen(path: string): boolean;
}

/** Lists the files of a walk in slices, so that other calls continue meanwhile. */
export async function listFolder(
  folder: ListedFolder,
  request: ListRequest,
  signal: AbortSignal,
): Promise<RawListing> {
  const held = new HeldPaths(folder.root);
  try {
    const { walk: options, starts, leaveOut } = request;
    const { folders, mayOpen } = folder;
    const walker = new TreeWalker({ folders, held, options, starts, mayOpen, takeLinks: true, leaveOut });
    return await walkInSlices(walker, request.callMs, signal);
  } finally {
    held.release();
  }
}

/** Returns size and time of each path, in order: undefined for a removed one, "link" for a link. */
export function factsOf(root: string, paths: readonly string[]): (FileFacts | "link" | undefined)[] {
  const held = new HeldPaths(root);
  try {
    return paths.map((path) => factsAt(held, path));
  } finally {
    held.release();
  }
}

async function walkInSlices(walker: TreeWalker, callMs: number, signal: AbortSignal): Promise<RawListing> {
  const files: string[] = [];
  const endsAt = performance.now() + callMs;
  const slice = new Slice();
  while (walker.step(files)) {
    if (!slice.isOver) continue;
    if (performance.now() > endsAt) return listingOf(walker, files, true);
    await slice.pause();
    signal.throwIfAborted();
  }
  return listingOf(walker, files, walker.exhausted);
}

function factsAt(held: HeldPaths, path: string): FileFacts | "link" | undefined {
  try {
    const stats = lstatSync(held.to(path));
    return stats.isSymbolicLink() ? "link" : { size: stats.size, modifiedMs: stats.mtimeMs };
  } catch {
    return undefined;
  }
}

function listingOf(walker: TreeWalker, files: readonly string[], incomplete: boolean): RawListing {
  const { links, leftOut, ledger: skipped } = walker;
  return { files, links, leftOut, skipped, incomplete };
}
