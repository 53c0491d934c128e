import { joinPath } from "@haft/core/workspace";
import type { RunStart } from "./foreign-entry.js";
import { isPackageFolder } from "./pass-through.js";
import { namesIn, statsOf } from "./view-entry.js";
import type { WorkspaceView } from "./workspace-view.js";

interface DroppedChanges extends Pick<RunStart, "startedAtMs"> {
  readonly workspace: { readonly root: string };
  readonly view: Pick<WorkspaceView, "path" | "touchedIn">;
  /** Topmost entries whose changes are dropped. */
  readonly dropped: readonly string[];
}

/**
 * Returns an entry that a run moved into installed packages, whose changes are dropped: applying its deletion would lose
 * it. Unlike entries that the run wrote, it is older than the run.
 */
export function movedIntoPackages({ dropped, ...setting }: DroppedChanges): string | undefined {
  const search = new Search(setting);
  for (const path of dropped) {
    const found = path.split("/").some(isPackageFolder) ? search.below(path) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

class Search {
  readonly #setting: Omit<DroppedChanges, "dropped">;
  #entries = 0;

  constructor(setting: Omit<DroppedChanges, "dropped">) {
    this.#setting = setting;
  }

  below(path: string): string | undefined {
    const { view, workspace, startedAtMs } = this.#setting;
    const seen = `${view.path}/${path}`;
    const after = this.#entries < MAX_ENTRIES ? statsOf(seen) : undefined;
    if (after === undefined) return undefined;
    this.#entries += 1;
    const before = statsOf(`${workspace.root}/${path}`);
    if (after.isDirectory()) {
      const touched = before === undefined ? undefined : view.touchedIn(path);
      for (const name of touched ?? namesIn(seen)) {
        const found = this.below(joinPath(path, name));
        if (found !== undefined) return found;
      }
      return undefined;
    }
    // Programs also change the permissions of existing entries.
    const isFormer = before?.size === after.size && before.mtimeMs === after.mtimeMs;
    return after.mtimeMs < startedAtMs && !isFormer ? path : undefined;
  }
}

/** A build may leave more in its caches; moved files are not looked for beyond this. */
const MAX_ENTRIES = 10_000;
