import type { JournalledChange } from "../journal/change-record.js";
import type { CommitParts } from "./commit-parts.js";
import { currentSnapshot } from "./verify-change.js";

/** A commit whose changes are all on the disk. */
export interface WholeCommit {
  readonly seq: number;
  readonly changes: readonly JournalledChange[];
  readonly storedBytes: number;
  readonly undoes?: string | undefined;
}

/** Calls a commit done, and what it took back undone; what came out of the trash is no longer in it. */
export async function writeDown(parts: CommitParts, commit: WholeCommit): Promise<void> {
  const { journal, trash } = parts.state;
  const { seq, changes, storedBytes } = commit;
  const undone = commit.undoes === undefined ? undefined : journal.find(commit.undoes);
  journal.append({ type: "done", seq, storedBytes, hashes: await newHashes(parts, changes) });
  if (undone !== undefined) journal.append({ type: "undone", seq: undone.seq, by: seq });
  for (const { kept } of changes) if (kept !== undefined) await trash.remove(kept);
}

/** What is not known by its content gets another hash when it moves, and when it comes back. */
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
