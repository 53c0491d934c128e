import { parentPath, ToolError } from "@haft/core";
import type { CommitParts } from "../workspace/commit-parts.js";
import { removeEntry } from "../workspace/remove-entry.js";
import { isApplied, revertChange } from "../workspace/revert-change.js";
import { tempOwner } from "../workspace/temp-name.js";
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
  const last = record.changes.at(-1);
  if (last !== undefined && (await isApplied(parts, last))) {
    await sweep(parts, record);
    journal.append({ type: "done", seq, storedBytes: 0 });
    return;
  }
  const reason = await rollBack(parts, record);
  await sweep(parts, record);
  journal.append({ type: "aborted", seq, reason });
}

/** As far as it goes: a file that cannot be put back must not keep the others from it. */
async function rollBack(parts: CommitParts, record: JournalRecord): Promise<string> {
  let reason = "the process ended before it was done";
  for (const change of [...record.changes].reverse()) {
    try {
      await revertChange(parts, change);
    } catch (thrown) {
      if (!ToolError.is(thrown)) throw thrown;
      reason = `${change.path} could not be put back: ${thrown.message}`;
    }
  }
  return reason;
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
