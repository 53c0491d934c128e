import { linkSync, renameSync } from "node:fs";
import { type Snapshot, ToolError } from "@haft/core";
import { stateFullError } from "../journal/state-error.js";
import { copyEntry, type EntryName } from "./copy-entry.js";
import { HeldDirectory } from "./held-directory.js";
import { moveEntry, renameAcross } from "./move-entry.js";
import { showPath } from "./path-error.js";
import { removeEntry } from "./remove-entry.js";
import { isSameTree } from "./same-tree.js";
import { snapshotKept } from "./snapshot-kept.js";
import { errnoOf } from "./system-error.js";
import { snapshotDirectory } from "./take-snapshot.js";
import { tempName } from "./temp-name.js";

/** Where deleted things go, so that a delete can be taken back. Each gets a name of its own. */
export class Trash {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Where a person finds what was deleted. */
  pathOf(key: string): string {
    return `${this.#path}/${key}`;
  }

  /** The entry is gone from its place in one step, and whole in the trash when this is done. */
  async put(from: EntryName, key: string): Promise<void> {
    await this.#inTrash(async (directory) => {
      try {
        renameSync(from.directory.at(from.name), directory.at(key));
      } catch (thrown) {
        if (errnoOf(thrown) !== "EXDEV") throw thrown;
        await putOnOtherDisk(from, { directory, name: key });
      }
    });
  }

  /** The same if it takes no copy, and if no other name could change what is kept; false otherwise. */
  async link(file: EntryName, key: string): Promise<boolean> {
    return this.#inTrash((directory) => {
      if ((file.directory.lstat(file.name)?.nlink ?? 0n) !== 1n) return false;
      try {
        linkSync(file.directory.at(file.name), directory.at(key));
      } catch (thrown) {
        if (errnoOf(thrown) === undefined || errnoOf(thrown) === "EEXIST") throw thrown;
        return false;
      }
      return true;
    });
  }

  /** Keeps the content of a file that is about to be replaced, without copying it where the disk allows. */
  async keep(file: EntryName, key: string): Promise<void> {
    await this.#inTrash(async (directory) => {
      try {
        linkSync(file.directory.at(file.name), directory.at(key));
      } catch (thrown) {
        if (errnoOf(thrown) === "EEXIST") throw thrown;
        await copyToKeep(file, { directory, name: key });
      }
    });
  }

  /** Back to a name that must be free. On another disk a copy goes there, and `remove` ends it. */
  async restore(key: string, to: EntryName): Promise<void> {
    await this.#inTrash((directory) => moveEntry({ directory, name: key }, to, KEEP));
  }

  /** Back to a name in the place of what has it, in one step; otherwise the same. */
  async restoreOver(key: string, to: EntryName): Promise<void> {
    await this.#inTrash((directory) => renameAcross({ directory, name: key }, to, KEEP));
  }

  /** What is kept under a key, as it will be when it is back; undefined when there is nothing. */
  async snapshot(key: string, options: { readonly maxHeldBytes: number }): Promise<Snapshot | undefined> {
    return this.#inTrash((directory) => snapshotKept({ directory, name: key }, options.maxHeldBytes));
  }

  async has(key: string): Promise<boolean> {
    return this.#inTrash((directory) => directory.lstat(key) !== undefined);
  }

  async remove(key: string): Promise<void> {
    await this.#inTrash((directory) => removeEntry({ directory, name: key }));
  }

  /** Whether an entry is the one that is kept, or a copy of it that nobody has touched. */
  async isCopy(key: string, entry: EntryName): Promise<boolean> {
    return this.#inTrash((directory) => isSameTree({ directory, name: key }, entry));
  }

  /** Empties the trash of everything but the given names. */
  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    await this.#inTrash((directory) => {
      for (const name of directory.names()) if (!keys.has(name)) removeEntry({ directory, name });
    });
  }

  /** Hands out the trash directory, to read what is in it. */
  async look<T>(use: (directory: HeldDirectory) => Promise<T> | T): Promise<T> {
    return this.#inTrash(use);
  }

  async #inTrash<T>(use: (directory: HeldDirectory) => Promise<T> | T): Promise<T> {
    const directory = HeldDirectory.open(this.#path);
    try {
      return await use(directory);
    } finally {
      directory.close();
    }
  }
}

const KEEP = { keepOriginal: true } as const;

/**
 * Copied first, then taken out of sight in one step, then removed: whenever this is cut short, either
 * the original is in its place or the copy is whole.
 */
async function putOnOtherDisk(from: EntryName, to: EntryName): Promise<void> {
  const before = versionOf(from);
  await copyToKeep(from, to);
  const hidden = { directory: from.directory, name: tempName(from.name, process.pid) };
  renameSync(from.directory.at(from.name), from.directory.at(hidden.name));
  if (versionOf(hidden) === before) {
    removeEntry(hidden);
    return;
  }
  renameSync(from.directory.at(hidden.name), from.directory.at(from.name));
  removeEntry(to);
  throw new ToolError("STALE_FILE", `${showPath(from.name)} was changed while it was being deleted`);
}

/** What cannot be kept is not destroyed: the call fails, and says which disk is full. */
async function copyToKeep(from: EntryName, to: EntryName): Promise<void> {
  try {
    await copyEntry(from, to);
  } catch (thrown) {
    throw stateFullError(thrown, `${showPath(from.name)} cannot be kept, so it could not be undone`);
  }
}

/** Says whether an entry was written to; being renamed does not count. */
function versionOf({ directory, name }: EntryName): string {
  const stats = directory.lstat(name);
  if (stats?.isDirectory() !== true) return [stats?.ino, stats?.size, stats?.mtimeNs].join(":");
  const below = directory.openDirectory(name);
  try {
    return snapshotDirectory(name, below).hash;
  } finally {
    below.close();
  }
}
