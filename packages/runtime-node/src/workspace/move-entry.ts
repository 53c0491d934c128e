import { linkSync, renameSync, unlinkSync } from "node:fs";
import { copyEntry, type EntryName } from "./copy-entry.js";
import { removeEntry } from "./remove-entry.js";
import { renameEntry } from "./rename-entry.js";
import { errnoOf } from "./system-error.js";
import { tempName } from "./temp-name.js";

/**
 * Moves an entry to a free name; fails with EEXIST otherwise. For files and links the system guarantees that.
 * Directories have no such call, so the name is checked right before.
 */
export async function moveEntry(from: EntryName, to: EntryName, options: MoveOptions = {}): Promise<void> {
  const stats = from.directory.lstat(from.name);
  if (stats?.isDirectory()) {
    if (to.directory.lstat(to.name) !== undefined) throw taken();
    await moveOver(from, to, options);
    return;
  }
  await moveToFree(from, to, options);
}

export interface MoveOptions {
  /** Whether to keep the original for later when it is copied to another disk. */
  readonly keepOriginal?: boolean;
}

/** Moves an entry over an existing name; atomic if both are on one disk. */
export async function moveOver(from: EntryName, to: EntryName, options: MoveOptions = {}): Promise<void> {
  try {
    renameEntry(from, to);
  } catch (thrown) {
    if (errnoOf(thrown) !== "EXDEV") throw thrown;
    await copyOver(from, to, (staged) => renameSync(staged, to.directory.at(to.name)));
    if (options.keepOriginal !== true) removeEntry(from);
  }
}

async function moveToFree(from: EntryName, to: EntryName, options: MoveOptions): Promise<void> {
  try {
    linkSync(from.directory.at(from.name), to.directory.at(to.name));
  } catch (thrown) {
    const errno = errnoOf(thrown) ?? "";
    if (errno === "EXDEV") {
      await copyOver(from, to, (staged) => claim(staged, to));
      if (options.keepOriginal !== true) removeEntry(from);
      return;
    }
    if (!NO_LINKS.has(errno)) throw thrown;
    claim(from.directory.at(from.name), to);
    return;
  }
  unlinkSync(from.directory.at(from.name));
}

/** Links the staged file to its name. On a disk without hard links, checks first and renames. */
function claim(staged: string, to: EntryName): void {
  try {
    linkSync(staged, to.directory.at(to.name));
    unlinkSync(staged);
  } catch (thrown) {
    if (!NO_LINKS.has(errnoOf(thrown) ?? "")) throw thrown;
    if (to.directory.lstat(to.name) !== undefined) throw taken();
    renameSync(staged, to.directory.at(to.name));
  }
}

/** Copies beside the destination, then renames the copy into place. */
async function copyOver(from: EntryName, to: EntryName, place: (staged: string) => void): Promise<void> {
  const staged = { directory: to.directory, name: tempName(to.name, process.pid) };
  await copyEntry(from, staged);
  try {
    place(to.directory.at(staged.name));
  } finally {
    removeEntry(staged);
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function taken(): NodeJS.ErrnoException {
  return Object.assign(new Error("EEXIST: the name is taken"), { code: "EEXIST" });
}
