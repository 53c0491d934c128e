import type { Stats } from "node:fs";
import type { WorkspaceStore } from "@haft/core";
import { joinPath } from "@haft/core/workspace";
import { namesIn, statsOf } from "./view-entry.js";
import type { WorkspaceView } from "./workspace-view.js";

export interface RunStart {
  readonly workspace: Pick<WorkspaceStore, "root">;
  readonly view: Pick<WorkspaceView, "had">;
  /** When the run began, before its view was created. Later changes to the workspace belong to others. */
  readonly startedAtMs: number;
}

/**
 * Returns the first path, this one or one below it, that someone else changed since the run began or that the code
 * never saw. Changes of the code must not remove it.
 */
export function foreignEntry(start: RunStart, path: string): string | undefined {
  const { workspace, view, startedAtMs } = start;
  const stats = statsOf(`${workspace.root}/${path}`);
  const wasUnseen = view.had(path) === false;
  // A listed name that is missing is not UTF-8, or gone by now.
  if (stats === undefined) return wasUnseen ? path : undefined;
  if (isSince(startedAtMs, stats) || (wasUnseen && isContent(stats))) return path;
  if (!stats.isDirectory()) return undefined;
  const names = listed(`${workspace.root}/${path}`);
  if (names === undefined) return path;
  for (const name of names) {
    const found = foreignEntry(start, joinPath(path, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether someone has added or changed it since the run began, or removed something from it. */
export function isNewer({ workspace, startedAtMs }: RunStart, path: string): boolean {
  const stats = statsOf(`${workspace.root}/${path}`);
  return stats !== undefined && isSince(startedAtMs, stats);
}

/**
 * Compares the change time; that of a directory changes with every entry. The view is created after the start, so it
 * includes changes of the same millisecond.
 */
function isSince(startedAtMs: number, { ctimeMs }: Stats): boolean {
  return Math.floor(ctimeMs) > startedAtMs;
}

/** Returns false for pipes and devices: a view may not contain them. */
export function isContent(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
}

/** Returns undefined if the directory cannot be listed; it may contain anything. */
function listed(directory: string): readonly string[] | undefined {
  try {
    return namesIn(directory);
  } catch {
    return undefined;
  }
}
