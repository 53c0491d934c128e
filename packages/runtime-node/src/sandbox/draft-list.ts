import { joinPath } from "@haft/core/workspace";
import type { DraftChange } from "./draft-change.js";
import { MAX_MOVED_ENTRIES, MAX_NAMED, MAX_RECORDED_CHANGES, tooManyChanges } from "./recording-limits.js";
import { countRemoved } from "./removed-entries.js";
import type { ViewComparison } from "./view-comparison.js";
import { firstNames, namesUpTo, statsOf } from "./view-entry.js";

/** The differences found so far. Throws TooMuch beyond what one run may record. */
export class DraftList {
  readonly drafts: DraftChange[] = [];
  readonly #setting: ViewComparison;
  #removed: number | undefined;

  constructor(setting: ViewComparison) {
    this.#setting = setting;
  }

  add(change: DraftChange): void {
    const isOver = this.drafts.push(change) > MAX_RECORDED_CHANGES;
    if (isOver && this.drafts.length > this.#most()) tooManyChanges();
  }

  /** Returns the names in a folder of the view. `before` is their number in the workspace. */
  names(path: string, before: number): readonly string[] {
    const seen = `${this.#setting.view.path}/${path}`;
    const names = namesUpTo(seen, before + MAX_RECORDED_CHANGES) ?? namesUpTo(seen, before + this.#most());
    return names ?? this.#tooManyIn(path);
  }

  /** Some of them become drafts, which tell what was not recorded. */
  #tooManyIn(path: string): never {
    const { workspace, view } = this.#setting;
    const isNew = (name: string) => statsOf(`${workspace.root}/${joinPath(path, name)}`) === undefined;
    for (const name of firstNames(`${view.path}/${path}`, MAX_NAMED, isNew))
      this.drafts.push({ kind: "directory", path: joinPath(path, name) });
    tooManyChanges();
  }

  /** How many differences are compared: those that may be moves count only if they turn out to be none. */
  #most(): number {
    this.#removed ??= countRemoved(this.#setting, MAX_MOVED_ENTRIES);
    return MAX_RECORDED_CHANGES + this.#removed;
  }
}
