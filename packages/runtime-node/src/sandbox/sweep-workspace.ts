import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { inodeOf, type ScannedWorkspace, scanWorkspace, type WorkspaceScan } from "./workspace-scan.js";

export interface Swept {
  readonly filesChanged: readonly string[];
  readonly warnings: readonly string[];
}

export interface SweepSetting {
  readonly workspace: ScannedWorkspace;
  readonly before: WorkspaceScan;
  /** The targets of links that are guarded, as they were. */
  readonly links: ReadonlyMap<string, string>;
  /** Where what is taken away is kept. */
  readonly quarantine: string;
}

/** The guarded links of a workspace, which a mount cannot hold in place. */
export function guardedLinks(root: string, { guarded }: WorkspaceScan): ReadonlyMap<string, string> {
  const links = [...guarded].filter(([, stats]) => stats.isSymbolicLink());
  return new Map(links.map(([path]) => [path, readlinkSync(`${root}/${path}`)]));
}

/**
 * After a run: what would run as code later and was not there before is taken away, and what changed is
 * told. A mask on a name that did not exist would have left a file, so this is done afterwards.
 */
export function sweepWorkspace({ workspace, before, links, quarantine }: SweepSetting): Swept {
  const after = scanWorkspace(workspace);
  const known = new Set([...before.guarded.values()].map(inodeOf));
  // What was only moved, with the folder around it, is the user's own.
  const planted = [...after.guarded].filter(([, stats]) => !known.has(inodeOf(stats))).map(([path]) => path);
  for (const path of planted) takeAway(`${workspace.root}/${path}`, quarantine);
  const restored = [...links].filter(([path, target]) => restoreLink(`${workspace.root}/${path}`, target));
  return {
    filesChanged: changedPaths(before.marks, after.marks),
    warnings: [
      ...planted.map(
        (path) => `${path} would run as code later, so it was taken away again (kept in ${quarantine})`,
      ),
      ...restored.map(([path]) => `${path} was put back as it was`),
    ],
  };
}

function changedPaths(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const changed = new Set<string>();
  for (const [path, mark] of after) if (before.get(path) !== mark) changed.add(path);
  for (const path of before.keys()) if (!after.has(path)) changed.add(path);
  return [...changed].sort();
}

function takeAway(path: string, quarantine: string): void {
  mkdirSync(quarantine, { recursive: true, mode: 0o700 });
  const kept = join(quarantine, `${randomUUID()}-${basename(path)}`);
  try {
    renameSync(path, kept);
  } catch {
    // Another disk: a copy, then it goes.
    cpSync(path, kept, { recursive: true, dereference: false, verbatimSymlinks: true });
    rmSync(path, { recursive: true, force: true });
  }
}

/** False when it is still what it was. */
function restoreLink(path: string, target: string): boolean {
  if (linkTarget(path) === target) return false;
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
  return true;
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
