import { type BigIntStats, readlinkSync } from "node:fs";
import type { EntryName } from "./copy-entry.js";
import { sortedNames, spellName } from "./entry-name.js";
import { typeOf } from "./entry-of.js";
import type { FileName } from "./held-directory.js";

/**
 * Returns whether two entries are the same, or equal in everything a copy preserves: names, types, permissions, sizes
 * and times.
 */
export function isSameTree(one: EntryName<FileName>, other: EntryName<FileName>): boolean {
  const [a, b] = [one.directory.lstat(one.name), other.directory.lstat(other.name)];
  if (a === undefined || b === undefined) return false;
  if (a.dev === b.dev && a.ino === b.ino) return true;
  if (!isAlike(a, b)) return false;
  if (a.isSymbolicLink()) return targetOf(one).equals(targetOf(other));
  return a.isDirectory() ? hasSameEntries(one, other) : a.isFile();
}

/** A copy's time equals the original to about a microsecond. */
function isAlike(a: BigIntStats, b: BigIntStats): boolean {
  const apartNs = a.mtimeNs > b.mtimeNs ? a.mtimeNs - b.mtimeNs : b.mtimeNs - a.mtimeNs;
  const isSameSize = a.isDirectory() || a.size === b.size;
  return typeOf(a) === typeOf(b) && isSameSize && apartNs < 2_000_000n;
}

function targetOf({ directory, name }: EntryName<FileName>): Buffer {
  return readlinkSync(directory.at(name), { encoding: "buffer" });
}

function hasSameEntries(one: EntryName<FileName>, other: EntryName<FileName>): boolean {
  const [a, b] = [one.directory.openDirectory(one.name), other.directory.openDirectory(other.name)];
  try {
    const [names, others] = [sortedNames(a), sortedNames(b)];
    if (names.length !== others.length) return false;
    return names.every((name, index) => {
      if (spellName(others[index] ?? "") !== spellName(name)) return false;
      return isSameTree({ directory: a, name }, { directory: b, name });
    });
  } finally {
    a.close();
    b.close();
  }
}
