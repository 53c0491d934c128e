import type { JournalledChange } from "@haft/core/journal";
import type { CommitParts } from "./commit-parts.js";
import { currentSnapshot } from "./verified-paths.js";

/** A commit whose changes are all on disk. */
interface WholeCommit {
  readonly seq: number;
  readonly changes: readonly JournalledChange[];
  readonly storedBytes: number;
  readonly undoes?: string | undefined;
}

/** Marks a commit as done, and the one it reverts as undone. Removes restored entries from the trash. */
export async function recordCommit(parts: CommitParts, commit: WholeCommit): Promise<void> {
  const { journal, trash } = parts.state;
  const { seq, changes, storedBytes } = commit;
  const undone = commit.undoes === undefined ? undefined : journal.find(commit.undoes);
  await journal.append({ type: "done", seq, storedBytes, hashes: await newHashes(parts, changes) });
  if (undone !== undefined) await journal.append({ type: "undone", seq: undone.seq, by: seq });
  for (const { kept } of changes) if (kept !== undefined) await trash.remove(kept);
}

/** Returns the hashes that change when an entry moves: those not based on content. */
async function newHashes(
  { jail }: CommitParts,
  changes: readonly JournalledChange[],
): Promise<Record<number, string>> {
  const hashes: Record<number, string> = {};
  for (const [index, change] of changes.entries()) {
    const isMoved = change.kind === "move" && change.afterHash?.startsWith("stat-") === true;
    if (!isMoved && (change.kept === undefined || change.afterHash !== undefined)) continue;
    const current = await currentSnapshot(jail, change.path);
    if (current !== undefined) hashes[index] = current.hash;
  }
  return hashes;
}
