import { joinPath } from "@haft/core/workspace";
import { isPackageFolder } from "./pass-through.js";
import type { ViewComparison } from "./view-comparison.js";
import { namesIn, statsOf } from "./view-entry.js";

/** Counts the entries of the workspace that the view no longer has, at most `limit`. */
export function countRemoved(
  { workspace, view }: Pick<ViewComparison, "workspace" | "view">,
  limit: number,
): number {
  let count = 0;
  const below = (path: string): void => {
    count += 1;
    if (statsOf(`${workspace.root}/${path}`)?.isDirectory() !== true) return;
    for (const name of listed(`${workspace.root}/${path}`)) if (count < limit) below(joinPath(path, name));
  };
  const compare = (path: string): void => {
    const touched = view.touchedIn(path);
    for (const name of listed(`${workspace.root}/${path}`)) {
      if (count >= limit || isPackageFolder(name)) continue;
      if (touched !== undefined && !touched.has(name)) continue;
      const inside = joinPath(path, name);
      const after = statsOf(`${view.path}/${inside}`);
      if (after === undefined) below(inside);
      else if (after.isDirectory()) compare(inside);
    }
  };
  compare("");
  return Math.min(count, limit);
}

function listed(folder: string): readonly string[] {
  try {
    return namesIn(folder);
  } catch {
    return [];
  }
}
