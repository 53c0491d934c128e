import type { JournalledChange } from "@haft/core/journal";
import type { Snapshot } from "@haft/core/workspace";
import { atEntry } from "./at-entry.js";
import type { CommitParts } from "./commit-parts.js";
import { removeEntry } from "./remove-entry.js";

/** A change whose new content comes from the trash. */
export type KeptChange = JournalledChange & { readonly kept: string };

export function isKept(change: JournalledChange): change is KeptChange {
  return change.kept !== undefined;
}

/** Returns whether the entry at the path came from the trash. */
export async function isBack(
  { jail, state }: CommitParts,
  change: KeptChange,
  current: Snapshot,
): Promise<boolean> {
  if (current.type !== change.type) return false;
  if (change.afterHash !== undefined) return current.hash === change.afterHash;
  // On one disk it left the trash in the same step; on another, the copy decides.
  if (!(await state.trash.has(change.kept))) return true;
  return atEntry(jail, change.path, (entry) => state.trash.isCopy(change.kept, entry));
}

/** Moves it to the trash again. If the trash still has a copy, deletes the entry at the path. */
export async function revertRestored({ jail, state }: CommitParts, change: KeptChange): Promise<void> {
  await atEntry(jail, change.path, async (entry) => {
    if (!(await state.trash.has(change.kept))) await state.trash.put(entry, change.kept);
    else if (await state.trash.isCopy(change.kept, entry)) removeEntry(entry);
    await entry.directory.sync();
  });
}

/** Moves the entry back to its name in the trash before the former content is restored. */
export async function keepAgain({ jail, state }: CommitParts, change: KeptChange): Promise<void> {
  if (await state.trash.has(change.kept)) return;
  await atEntry(jail, change.path, (entry) => state.trash.keep(entry, change.kept));
}
