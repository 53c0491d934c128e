import type { Snapshot } from "@haft/core";
import type { JournalledChange } from "../journal/change-record.js";
import { atEntry } from "./at-entry.js";
import type { CommitParts } from "./commit-parts.js";
import { removeEntry } from "./remove-entry.js";

/** A change whose new content came out of the trash. */
export type KeptChange = JournalledChange & { readonly kept: string };

export function isKept(change: JournalledChange): change is KeptChange {
  return change.kept !== undefined;
}

/** Whether what stands at the path is what came out of the trash. */
export async function isBack(
  { jail, state }: CommitParts,
  change: KeptChange,
  current: Snapshot,
): Promise<boolean> {
  if (current.type !== change.type) return false;
  if (change.afterHash !== undefined) return current.hash === change.afterHash;
  // On one disk it left the trash with the same step; on another the copy is what tells.
  if (!(await state.trash.has(change.kept))) return true;
  return atEntry(jail, change.path, (entry) => state.trash.isCopy(change.kept, entry));
}

/** Into the trash again. A copy that is still there as well makes the one at the path superfluous. */
export async function revertRestored({ jail, state }: CommitParts, change: KeptChange): Promise<void> {
  await atEntry(jail, change.path, async (entry) => {
    if (!(await state.trash.has(change.kept))) await state.trash.put(entry, change.kept);
    else if (await state.trash.isCopy(change.kept, entry)) removeEntry(entry);
    await entry.directory.sync();
  });
}

/** Before the former content takes its place again, what came out of the trash gets its name there back. */
export async function keepAgain({ jail, state }: CommitParts, change: KeptChange): Promise<void> {
  if (await state.trash.has(change.kept)) return;
  await atEntry(jail, change.path, (entry) => state.trash.keep(entry, change.kept));
}
