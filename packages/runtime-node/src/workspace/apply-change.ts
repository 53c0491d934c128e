import { mkdirSync, symlinkSync } from "node:fs";
import type { FileChange } from "@haft/core";
import { atEntry, stale } from "./at-entry.js";
import type { EntryName } from "./copy-entry.js";
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
    else if (change.kind === "modify") await replaceFile(application, entry);
    else if (change.kind === "create") await create(application, change, entry);
    else await atEntry(jail, change.from, (from) => move(from, entry, change.replaces !== undefined));
    await entry.directory.sync();
  });
}

async function replaceFile({ jail, staged }: Application, entry: EntryName): Promise<void> {
  if (staged !== undefined) await atStaged(jail, staged, (temp) => renameAcross(temp, entry));
}

async function create(
  { jail, staged }: Application,
  change: FileChange & { kind: "create" },
  entry: EntryName,
): Promise<void> {
  const { after } = change;
  await exclusively(change.path, async () => {
    if (after.type === "directory") mkdirSync(entry.directory.at(entry.name));
    else if (after.type === "symlink") symlinkSync(after.target, entry.directory.at(entry.name));
    else if (staged !== undefined) await atStaged(jail, staged, (temp) => moveEntry(temp, entry));
  });
}

async function move(from: EntryName, to: EntryName, isOverwriting: boolean): Promise<void> {
  if (isOverwriting) await renameAcross(from, to);
  else await exclusively(to.name, () => moveEntry(from, to));
  await from.directory.sync();
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
