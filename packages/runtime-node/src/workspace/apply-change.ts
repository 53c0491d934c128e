import { mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import type { FileChange } from "@haft/core";
import { atEntry, stale } from "./at-entry.js";
import type { EntryName } from "./copy-entry.js";
import { goesToTrash } from "./keep-former.js";
import { moveEntry, renameAcross } from "./move-entry.js";
import { showPath } from "./path-error.js";
import type { PathJail } from "./path-jail.js";
import { atStaged, type StagedFile } from "./stage-files.js";
import { asToolError, errnoOf } from "./system-error.js";
import type { Trash } from "./trash.js";

export interface Application {
  readonly jail: PathJail;
  readonly trash: Trash;
  /** The content of the change, when it has any. */
  readonly staged: StagedFile | undefined;
  /** The name in the trash that the change may use. */
  readonly trashKey: string;
}

/** Makes one change real. Content is staged, so this only gives and takes names. */
export async function applyChange(application: Application, change: FileChange): Promise<void> {
  const { jail, trash, trashKey } = application;
  await atEntry(jail, change.path, async (entry) => {
    if (change.kind === "delete") await trash.put(entry, trashKey);
    else if (change.kind === "modify") await replaceFile(application, change, entry);
    else if (change.kind === "create") await create(application, change, entry);
    else await atEntry(jail, change.from, (from) => move(application, change, { from, to: entry }));
    await entry.directory.sync();
  });
}

async function replaceFile(
  { jail, staged, trash }: Application,
  { after }: FileChange & { kind: "modify" },
  entry: EntryName,
): Promise<void> {
  if (after.type === "kept") await trash.restoreOver(after.key, entry);
  else if (staged !== undefined) await atStaged(jail, staged, (temp) => renameAcross(temp, entry));
}

async function create(
  { jail, staged, trash }: Application,
  change: FileChange & { kind: "create" },
  entry: EntryName,
): Promise<void> {
  const { after } = change;
  await exclusively(change.path, async () => {
    if (after.type === "kept") await trash.restore(after.key, entry);
    else if (after.type === "directory") mkdirSync(entry.directory.at(entry.name));
    else if (after.type === "symlink") symlinkSync(after.target, entry.directory.at(entry.name));
    else if (staged !== undefined) await atStaged(jail, staged, (temp) => moveEntry(temp, entry));
  });
}

async function move(
  { trash, trashKey }: Application,
  change: FileChange & { kind: "move" },
  { from, to }: { readonly from: EntryName; readonly to: EntryName },
): Promise<void> {
  if (goesToTrash(change)) await trash.put(to, trashKey);
  if (change.replaces === undefined || goesToTrash(change))
    await exclusively(change.path, () => moveEntry(from, to));
  else await moveOver(from, to);
  await from.directory.sync();
}

/** Two names of one file are a case of their own: there a rename does nothing at all. */
async function moveOver(from: EntryName, to: EntryName): Promise<void> {
  await renameAcross(from, to);
  if (from.directory.lstat(from.name) !== undefined) unlinkSync(from.directory.at(from.name));
}

/** Two creators cannot both win: the one that finds the name taken is out of date. */
async function exclusively(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw asToolError(thrown, path);
    throw stale(path, `${showPath(path)} has come into being meanwhile`);
  }
}
