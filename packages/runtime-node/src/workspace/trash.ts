import { linkSync, renameSync } from "node:fs";
import { ToolError } from "@haft/core";
import type { Snapshot } from "@haft/core/workspace";
import { showPath } from "@haft/core/workspace";
import { stateFullError } from "../journal/state-error.js";
import { copyEntry, type EntryName } from "./copy-entry.js";
import { HeldDirectory } from "./held-directory.js";
import { moveEntry, moveOver } from "./move-entry.js";
import { removeEntry } from "./remove-entry.js";
import { renameEntry } from "./rename-entry.js";
import { isSameTree } from "./same-tree.js";
import { snapshotKept } from "./snapshot-kept.js";
import { errnoOf } from "./system-error.js";
import { snapshotDirectory } from "./take-snapshot.js";
import { tempName } from "./temp-name.js";

/** Keeps deleted entries so that a delete can be undone. Each has a unique name. */
export class Trash {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the path where a person finds deleted entries. */
  pathOf(key: string): string {
    return `${this.#path}/${key}`;
  }

  /** Moves an entry to the trash: it leaves its place in one step and is complete in the trash afterwards. */
  async put(from: EntryName, key: string): Promise<void> {
    await this.#inTrash(async (directory) => {
      try {
        renameEntry(from, { directory, name: key });
      } catch (thrown) {
        if (errnoOf(thrown) !== "EXDEV") throw thrown;
        await putOnOtherDisk(from, { directory, name: key });
      }
    });
  }

  /** Does the same if that needs no copy and no other name could change the kept content. Otherwise returns false. */
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

  /** Keeps the content of a file before it is replaced, without copying it if the disk allows. */
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

  /** Restores to a free name. On another disk it copies, and `remove` deletes the original. */
  async restore(key: string, to: EntryName): Promise<void> {
    await this.#inTrash((directory) => moveEntry({ directory, name: key }, to, KEEP));
  }

  /** Like `restore`, but atomically replaces the entry that has the name. */
  async restoreOver(key: string, to: EntryName): Promise<void> {
    await this.#inTrash((directory) => moveOver({ directory, name: key }, to, KEEP));
  }

  /** Returns the entry under a key as it will be once restored; undefined if the key does not exist. */
  async snapshot(key: string, options: { readonly maxHeldBytes: number }): Promise<Snapshot | undefined> {
    return this.#inTrash((directory) => snapshotKept({ directory, name: key }, options.maxHeldBytes));
  }

  async has(key: string): Promise<boolean> {
    return this.#inTrash((directory) => directory.lstat(key) !== undefined);
  }

  async remove(key: string): Promise<void> {
    await this.#inTrash((directory) => removeEntry({ directory, name: key }));
  }

  /** Returns whether an entry is the kept one, or an unmodified copy of it. */
  async isCopy(key: string, entry: EntryName): Promise<boolean> {
    return this.#inTrash((directory) => isSameTree({ directory, name: key }, entry));
  }

  /** Deletes everything from the trash except the given names. */
  async keepOnly(keys: ReadonlySet<string>): Promise<void> {
    await this.#inTrash((directory) => {
      for (const name of directory.names()) if (!keys.has(name)) removeEntry({ directory, name });
    });
  }

  /** Passes the trash directory to a callback for reading. */
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
 * Copies, hides the original in one step, then removes it: whenever this is interrupted, either the original is in
 * its place or the copy is complete.
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

/** Copies to the trash. If the disk is full, the call fails before it destroys anything and names the disk. */
async function copyToKeep(from: EntryName, to: EntryName): Promise<void> {
  try {
    await copyEntry(from, to);
  } catch (thrown) {
    throw stateFullError(thrown, `${showPath(from.name)} cannot be saved for undo`);
  }
}

/** Returns a version that changes with writes but not with renames. */
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
