import type { FileChange } from "@haft/core";
import { applyChange } from "./apply-change.js";
import type { PathJail } from "./path-jail.js";
import { stageFiles, unstage } from "./stage-files.js";
import type { Trash } from "./trash.js";
import { independentOf, verifyChange } from "./verify-change.js";

export interface CommitParts {
  readonly jail: PathJail;
  readonly trash: Trash;
  readonly newFileMode: number;
}

/** Applies changes in order. The one place where bytes reach the disk. */
export async function commitChanges(parts: CommitParts, changes: readonly FileChange[]): Promise<void> {
  const independent = new Set(independentOf(changes));
  for (const change of independent) await verifyChange(parts.jail, change);
  const staged = await stageFiles(parts, changes);
  try {
    for (const [index, change] of changes.entries()) {
      if (!independent.has(change)) await verifyChange(parts.jail, change);
      await applyChange({ ...parts, staged: staged.get(change), trashKey: `${Date.now()}-${index}` }, change);
    }
  } finally {
    await unstage(parts.jail, staged.values());
  }
}
