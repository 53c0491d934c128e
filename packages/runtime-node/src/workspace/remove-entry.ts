import { chmodSync, rmdirSync, unlinkSync } from "node:fs";
import type { EntryName } from "./copy-entry.js";
import type { FileName, HeldDirectory } from "./held-directory.js";

/** Permanently removes an entry and everything below it. Does nothing if it does not exist. */
export function removeEntry({ directory, name }: EntryName<FileName>): void {
  const stats = directory.lstat(name);
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    unlinkSync(directory.at(name));
    return;
  }
  const below = directory.openDirectory(name);
  try {
    openForRemoval(below);
    for (const child of below.allNames()) removeEntry({ directory: below, name: child });
  } finally {
    below.close();
  }
  rmdirSync(directory.at(name));
}

/** An ordinary user can empty only folders that are readable and writable. */
function openForRemoval(directory: HeldDirectory): void {
  const mode = Number(directory.stat().mode & 0o7777n);
  if ((mode & OWNER) === OWNER) return;
  try {
    chmodSync(directory.self, mode | OWNER);
  } catch {
    // It belongs to someone else. If it is in the way, the removal reports it.
  }
}

const OWNER = 0o700;
