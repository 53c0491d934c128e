import { rmdirSync, unlinkSync } from "node:fs";
import type { EntryName } from "./copy-entry.js";
import type { FileName } from "./held-directory.js";

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
    for (const child of below.allNames()) removeEntry({ directory: below, name: child });
  } finally {
    below.close();
  }
  rmdirSync(directory.at(name));
}
