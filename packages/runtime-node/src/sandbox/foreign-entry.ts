import type { Stats } from "node:fs";
import { joinPath, type WorkspaceStore } from "@haft/core";
import { namesIn, statsOf } from "./view-entry.js";
import type { WorkspaceView } from "./workspace-view.js";

export interface RunStart {
  readonly workspace: Pick<WorkspaceStore, "root">;
  readonly view: Pick<WorkspaceView, "had">;
  /** When the run began, before its view was made: what others did to the workspace since then is theirs. */
  readonly startedAtMs: number;
}

/**
 * The first path, this one or one below it, that the workspace has by somebody else's doing since the run
 * began, or that the code never saw: nothing the code did may take it away.
 */
export function foreignEntry(start: RunStart, path: string): string | undefined {
  const { workspace, view, startedAtMs } = start;
  const stats = statsOf(`${workspace.root}/${path}`);
  const wasUnseen = view.had(path) === false;
  // A name that was listed and is not there is not UTF-8, or gone by now.
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

/** Whether somebody has added or changed it since the run began, or taken something out of it. */
export function isNewer({ workspace, startedAtMs }: RunStart, path: string): boolean {
  const stats = statsOf(`${workspace.root}/${path}`);
  return stats !== undefined && isSince(startedAtMs, stats);
}

/**
 * The time of a directory changes with every name that comes or goes. The view is made after the start, so what
 * happened in the same millisecond is in it.
 */
function isSince(startedAtMs: number, { ctimeMs }: Stats): boolean {
  return Math.floor(ctimeMs) > startedAtMs;
}

/** Pipes and devices are no content: a view may not even have them. */
export function isContent(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory() || stats.isSymbolicLink();
}

/** What cannot be looked into may hold anything. */
function listed(directory: string): readonly string[] | undefined {
  try {
    return namesIn(directory);
  } catch {
    return undefined;
  }
}
