import { chmodSync, mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import type { FileChange } from "@haft/core/workspace";
import { showPath } from "@haft/core/workspace";
import { atEntry, stale } from "./at-entry.js";
import type { EntryName } from "./copy-entry.js";
import { goesToTrash } from "./keep-former.js";
import { moveEntry, moveOver } from "./move-entry.js";
import type { PathJail } from "./path-jail.js";
import { atStaged, type StagedFile } from "./stage-files.js";
import { asToolError, errnoOf } from "./system-error.js";
import type { Trash } from "./trash.js";

interface Application {
  readonly jail: PathJail;
  readonly trash: Trash;
  /** The new content, if the change has any. */
  readonly staged: StagedFile | undefined;
  /** The trash name reserved for the change. */
  readonly trashKey: string;
}

/** Applies one change. Its content is already staged, so this only adds and removes names. */
export async function applyChange(application: Application, change: FileChange): Promise<void> {
  const { jail, trash, trashKey } = application;
  await atEntry(jail, change.path, async (entry) => {
    if (change.kind === "delete") await trash.put(entry, trashKey);
    else if (change.kind === "modify") await modify(application, change, entry);
    else if (change.kind === "create") await create(application, change, entry);
    else await atEntry(jail, change.from, (from) => move(application, change, { from, to: entry }));
    await entry.directory.sync();
  });
}

async function modify(
  { jail, staged, trash }: Application,
  { after }: FileChange & { kind: "modify" },
  entry: EntryName,
): Promise<void> {
  if (after.type === "kept") await trash.restoreOver(after.key, entry);
  else if (after.type === "directory") setDirectoryMode(entry, after.mode);
  else if (staged !== undefined) await atStaged(jail, staged, (temp) => moveOver(temp, entry));
}

async function create(
  { jail, staged, trash }: Application,
  change: FileChange & { kind: "create" },
  entry: EntryName,
): Promise<void> {
  const { after } = change;
  await exclusively(change.path, async () => {
    if (after.type === "kept") await trash.restore(after.key, entry);
    else if (after.type === "directory") makeDirectory(entry, after.mode);
    else if (after.type === "symlink") symlinkSync(after.target, entry.directory.at(entry.name));
    else if (staged !== undefined) await atStaged(jail, staged, (temp) => moveEntry(temp, entry));
  });
}

/** Creates a directory without access, then sets its mode: the umask must not remove bits. */
function makeDirectory({ directory, name }: EntryName, mode: number | undefined): void {
  mkdirSync(directory.at(name), mode);
  if (mode !== undefined) setDirectoryMode({ directory, name }, mode);
}

/**
 * Holds the directory, so that a link that is swapped in is not followed. Keeps the set-group-id bit, which a directory
 * inherits, and the sticky bit.
 */
export function setDirectoryMode({ directory, name }: EntryName, mode: number): void {
  const held = directory.openDirectory(name);
  try {
    chmodSync(held.self, (Number(held.stat().mode) & 0o3000) | mode);
  } finally {
    held.close();
  }
}

async function move(
  { trash, trashKey }: Application,
  change: FileChange & { kind: "move" },
  { from, to }: { readonly from: EntryName; readonly to: EntryName },
): Promise<void> {
  if (goesToTrash(change)) await trash.put(to, trashKey);
  if (change.replaces === undefined || goesToTrash(change))
    await exclusively(change.path, () => moveEntry(from, to));
  else await replaceByMove(from, to);
  await from.directory.sync();
}

/** Handles two names of one file separately: a rename between them does nothing. */
async function replaceByMove(from: EntryName, to: EntryName): Promise<void> {
  await moveOver(from, to);
  if (from.directory.lstat(from.name) !== undefined) unlinkSync(from.directory.at(from.name));
}

/** Lets one of two creators win; the other gets STALE_FILE. */
async function exclusively(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw asToolError(thrown, path);
    throw stale(path, `${showPath(path)} was created meanwhile`);
  }
}
