import { parentPath } from "@haft/core";
import type { CommitParts } from "../workspace/commit-parts.js";
import { removeEntry } from "../workspace/remove-entry.js";
import { isApplied, revertChanges } from "../workspace/revert-change.js";
import { tempOwner } from "../workspace/temp-name.js";
import { writeDown } from "../workspace/write-down.js";
import type { JournalRecord } from "./change-journal.js";
import { isAlive } from "./process-identity.js";

/**
 * Puts in order what dead processes left unfinished: a commit that is whole on the disk is called
 * done, any other is taken back. To be called alone (see `WorkspaceState.alone`): whoever is
 * unfinished then cannot be at work any more.
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
    await writeDown(parts, { ...record, storedBytes: 0 });
    return;
  }
  // What cannot be put back now will not be put back later either: say so instead of trying forever.
  const failure = await revertChanges(parts, record.changes, record.appliedCount);
  journal.append({ type: "aborted", seq, reason: failure ?? "the process ended before it was done" });
}

/** All changes are known to be on the disk but at most the last, and that one is found there. */
async function isWhole(parts: CommitParts, { changes, appliedCount }: JournalRecord): Promise<boolean> {
  const last = changes.at(-1);
  if (last === undefined || appliedCount < changes.length - 1) return false;
  return appliedCount === changes.length || isApplied(parts, last);
}

/** Temporary files lie beside what was to be written, or where the nearest directory was. */
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
