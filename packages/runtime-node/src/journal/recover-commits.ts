import type { JournalRecord } from "@haft/core/journal";
import { parentPath } from "@haft/core/workspace";
import type { CommitParts } from "../workspace/commit-parts.js";
import { recordCommit } from "../workspace/record-commit.js";
import { removeEntry } from "../workspace/remove-entry.js";
import { isApplied, revertChanges } from "../workspace/revert-change.js";
import { tempOwner } from "../workspace/temp-name.js";
import { isAlive } from "./process-identity.js";

/**
 * Finishes or reverts the commits of dead processes: a commit that is complete on disk is marked done, any other is
 * reverted. Call it within `WorkspaceState.alone`, where no unfinished commit can still be running.
 */
export async function recoverCommits(parts: CommitParts): Promise<void> {
  for (const record of parts.state.journal.records())
    if (record.state === "unfinished") await recoverCommit(parts, record);
}

async function recoverCommit(parts: CommitParts, record: JournalRecord): Promise<void> {
  const { journal } = parts.state;
  const { seq } = record;
  await sweep(parts, record);
  if (await isWhole(parts, record)) {
    await recordCommit(parts, { ...record, storedBytes: 0 });
    return;
  }
  // A change that cannot be reverted now cannot be reverted later either: record the failure instead of retrying
  // forever.
  const failure = await revertChanges(parts, record.changes, record.appliedCount);
  await journal.append({ type: "aborted", seq, reason: failure ?? "the process ended before it was done" });
}

/**
 * Returns whether the commit is complete: all changes but the last are known to be applied, and the last is found on
 * disk.
 */
async function isWhole(parts: CommitParts, { changes, appliedCount }: JournalRecord): Promise<boolean> {
  const last = changes.at(-1);
  if (last === undefined || appliedCount < changes.length - 1) return false;
  return appliedCount === changes.length || isApplied(parts, last);
}

/** Removes temporary files, which lie beside their targets or in the nearest existing directory. */
async function sweep(parts: CommitParts, record: JournalRecord): Promise<void> {
  const directories = new Set<string>();
  for (const { path, from } of record.changes)
    for (const each of from === undefined ? [path] : [path, from])
      for (let above = parentPath(each); !directories.has(above); above = parentPath(above))
        directories.add(above);
  for (const directory of directories) await sweepDirectory(parts, directory, record);
}

async function sweepDirectory({ jail }: CommitParts, path: string, { owner }: JournalRecord): Promise<void> {
  await jail.visit(path, { links: "refuse" }, ({ directory, rest }) => {
    if (rest.length > 0) return;
    for (const name of directory.names()) {
      const pid = tempOwner(name);
      if (pid === undefined) continue;
      if (pid === owner.pid || !isAlive({ pid, startTime: "" })) removeEntry({ directory, name });
    }
  });
}
