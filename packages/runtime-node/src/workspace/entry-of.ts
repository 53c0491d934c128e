import { type BigIntStats, readlinkSync } from "node:fs";
import { type FileEntry, type FileStat, ToolError } from "@haft/core";
import { type FileType, isLinkLoop, joinPath } from "@haft/core/workspace";
import { isNameable, spellName } from "./entry-name.js";
import type { FileName, HeldDirectory } from "./held-directory.js";
import type { Gatekeepers } from "./open-inside.js";
import { errnoOf } from "./system-error.js";

interface EntryPlace {
  readonly parent: string;
  readonly directory: HeldDirectory;
  readonly name: FileName;
}

/** Returns one entry of a held directory, or undefined if it is Haft's own, gone or inaccessible. */
export function entryOf(keepers: Gatekeepers, at: EntryPlace): FileEntry | undefined {
  const name = spellName(at.name);
  const path = joinPath(at.parent, name);
  if (keepers.guard.isHidden(path)) return undefined;
  try {
    const stats = at.directory.lstat(at.name);
    if (stats === undefined) return undefined;
    // No path leads there, so it cannot be opened or entered.
    if (!isNameable(at.name)) return { ...statOf(path, stats), name, type: "other", unnamed: true };
    keepers.secrets.note(path, stats);
    const entry = { ...statOf(path, stats), name };
    if (!stats.isSymbolicLink()) return entry;
    const target = readlinkSync(at.directory.at(at.name));
    return { ...entry, target, ...(leadsOut(keepers, path) ? { outside: true } : {}) };
  } catch (thrown) {
    // Another process may have removed it, or its permissions deny access.
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}

export function statOf(path: string, stats: BigIntStats): FileStat {
  return {
    path,
    type: typeOf(stats),
    size: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs / 1_000n) / 1_000,
    mode: modeOf(stats),
  };
}

export function typeOf(stats: BigIntStats): FileType {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "symlink" : "other";
}

export function modeOf(stats: BigIntStats): number {
  return Number(stats.mode & 0o777n);
}

function leadsOut({ jail }: Gatekeepers, path: string): boolean {
  try {
    jail.walk(path, {}).close();
    return false;
  } catch (thrown) {
    return ToolError.is(thrown) && thrown.code === "INVALID_PATH" && !isLinkLoop(thrown);
  }
}
