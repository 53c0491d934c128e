import { chmodSync, renameSync } from "node:fs";
import type { EntryName } from "./copy-entry.js";
import { errnoOf } from "./system-error.js";

/**
 * Renames an entry on its disk, in one step. The system lets an ordinary user move a folder elsewhere only if it is
 * writable, so a read-only one is made writable for that moment.
 */
export function renameEntry(from: EntryName, to: EntryName): void {
  const rename = () => renameSync(from.directory.at(from.name), to.directory.at(to.name));
  try {
    rename();
  } catch (thrown) {
    const isFolder = from.directory.lstat(from.name)?.isDirectory() === true;
    if (errnoOf(thrown) !== "EACCES" || !isFolder) throw thrown;
    renameReadOnly(from, rename, thrown);
  }
}

function renameReadOnly({ directory, name }: EntryName, rename: () => void, thrown: unknown): void {
  const held = directory.openDirectory(name);
  try {
    const mode = Number(held.stat().mode & 0o7777n);
    if ((mode & WRITABLE) !== 0) throw thrown;
    chmodSync(held.self, mode | WRITABLE);
    try {
      rename();
    } finally {
      chmodSync(held.self, mode);
    }
  } finally {
    held.close();
  }
}

const WRITABLE = 0o200;
