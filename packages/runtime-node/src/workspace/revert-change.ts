import { rmdirSync, unlinkSync } from "node:fs";
import { ToolError } from "@haft/core";
import type { JournalledChange } from "@haft/core/journal";
import { setDirectoryMode } from "./apply-change.js";
import { atEntry } from "./at-entry.js";
import type { CommitParts } from "./commit-parts.js";
import { copyEntry, type EntryName } from "./copy-entry.js";
import { moveEntry, moveOver } from "./move-entry.js";
import { isBack, isKept, keepAgain, revertRestored } from "./revert-kept.js";
import { asToolError, errnoOf } from "./system-error.js";
import { tempName } from "./temp-name.js";
import { currentSnapshot, directoryModeAt } from "./verified-paths.js";
import { writeNewFile } from "./write-new-file.js";

/**
 * Reverts the applied changes of a list, and the next one if it was applied. Used after a failure or a crash, so each
 * path is checked first: later changes by others are left alone. Continues after a change that cannot be reverted,
 * and returns the first reason.
 */
export async function revertChanges(
  parts: CommitParts,
  changes: readonly JournalledChange[],
  appliedCount: number,
): Promise<string | undefined> {
  let failure: string | undefined;
  for (const change of changes.slice(0, appliedCount + 1).reverse()) {
    try {
      await revertChange(parts, change);
    } catch (thrown) {
      const error = asToolError(thrown, change.path);
      if (!ToolError.is(error)) throw error;
      failure ??= `${change.path} could not be put back: ${error.message}`;
    }
  }
  return failure;
}

/** Returns whether a change is on disk, given that those before it are. */
export async function isApplied(parts: CommitParts, change: JournalledChange): Promise<boolean> {
  if (isOfMode(change)) return (await directoryModeAt(parts.jail, change.path)) === change.mode;
  const current = await currentSnapshot(parts.jail, change.path);
  if (change.kind === "delete") return current === undefined && hasTrash(parts, change);
  if (current === undefined || current.type !== change.type) return false;
  if (change.kind === "move") return (await currentSnapshot(parts.jail, change.from ?? "")) === undefined;
  if (isKept(change)) return isBack(parts, change, current);
  if (change.type === "directory") return true;
  // If only permissions changed, they decide.
  const modeMatches = change.beforeHash !== change.afterHash || change.mode === current.mode;
  return current.hash === change.afterHash && modeMatches;
}

async function revertChange(parts: CommitParts, change: JournalledChange): Promise<void> {
  if (change.kind === "create") return revertCreate(parts, change);
  if (change.kind === "modify") return revertModify(parts, change);
  if (change.kind === "delete") return revertDelete(parts, change);
  return revertMove(parts, change);
}

async function revertCreate(parts: CommitParts, change: JournalledChange): Promise<void> {
  const current = await currentSnapshot(parts.jail, change.path);
  if (current?.type !== change.type) return;
  if (isKept(change))
    return (await isBack(parts, change, current)) ? revertRestored(parts, change) : undefined;
  if (change.type !== "directory" && current.hash !== change.afterHash) return;
  await atEntry(parts.jail, change.path, async ({ directory, name }) => {
    if (change.type === "directory") removeIfEmpty(directory.at(name));
    else unlinkSync(directory.at(name));
    await directory.sync();
  });
}

async function revertModify(parts: CommitParts, change: JournalledChange): Promise<void> {
  if (!(await isApplied(parts, change))) return;
  if (isKept(change)) await keepAgain(parts, change);
  await atEntry(parts.jail, change.path, (entry) =>
    isOfMode(change) ? putModeBack(change, entry) : putBack(parts, change, entry),
  );
}

function isOfMode({ kind, type }: JournalledChange): boolean {
  return kind === "modify" && type === "directory";
}

async function putModeBack({ beforeMode }: JournalledChange, entry: EntryName): Promise<void> {
  if (beforeMode !== undefined) setDirectoryMode(entry, beforeMode);
  await entry.directory.sync();
}

async function revertDelete(parts: CommitParts, change: JournalledChange): Promise<void> {
  const { trash } = parts.state;
  const key = change.trash ?? "";
  if (!(await trash.has(key))) return;
  // Something is there: either the delete never happened, and the trash holds a partial copy; or another process took
  // the name, and the old content stays in the trash.
  const current = await currentSnapshot(parts.jail, change.path);
  if (current?.hash === change.beforeHash) return trash.remove(key);
  if (current !== undefined) return;
  await atEntry(parts.jail, change.path, async (entry) => {
    await trash.restore(key, entry);
    await entry.directory.sync();
    await trash.remove(key);
  });
}

async function revertMove(parts: CommitParts, change: JournalledChange): Promise<void> {
  const { jail } = parts;
  await atEntry(jail, change.path, (to) =>
    atEntry(jail, change.from ?? "", async (from) => {
      const [moved, left] = [to.directory.lstat(to.name), from.directory.lstat(from.name)];
      if (moved === undefined) {
        // The replaced entry was removed first, and the change stopped there.
        if (goesBack(change) && (await hasTrash(parts, change))) await putBack(parts, change, to);
        return;
      }
      if (left === undefined) {
        await moveEntry(to, from);
        if (change.replaces !== undefined) await putBack(parts, change, to);
      } else if (moved.dev === left.dev && moved.ino === left.ino) {
        // Stopped between adding the new name and removing the old one.
        unlinkSync(to.directory.at(to.name));
      }
      await Promise.all([to.directory.sync(), from.directory.sync()]);
    }),
  );
}

async function hasTrash({ state }: CommitParts, { trash }: JournalledChange): Promise<boolean> {
  return trash !== undefined && state.trash.has(trash);
}

/** Returns whether the entry itself moved to the trash, and not only its content under a second name. */
function goesBack({ type, replaces }: JournalledChange): boolean {
  return replaces !== undefined && (type === "directory" || replaces.type !== "file");
}

/** Restores the former content under its name in one step. */
async function putBack(parts: CommitParts, change: JournalledChange, entry: EntryName): Promise<void> {
  const { replaces } = change;
  if (goesBack(change)) return parts.state.trash.restore(change.trash ?? "", entry);
  const temp = { directory: entry.directory, name: tempName(entry.name, process.pid) };
  const owner = entry.directory.lstat(entry.name);
  const mode = replaces?.mode ?? change.beforeMode ?? parts.newFileMode;
  if (change.beforeBlob === undefined) {
    await parts.state.trash.look((directory) => copyEntry({ directory, name: change.trash ?? "" }, temp));
  } else {
    const content = [await parts.state.blobs.get(change.beforeBlob)];
    await writeNewFile(temp.directory, temp.name, { content, mode, owner });
  }
  await moveOver(temp, entry);
  await entry.directory.sync();
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) !== "ENOTEMPTY") throw thrown;
  }
}
