import { readlinkSync } from "node:fs";
import type { Snapshot } from "@haft/core/workspace";
import type { EntryName } from "./copy-entry.js";
import { modeOf } from "./entry-of.js";
import { OpenFile } from "./open-file.js";
import { snapshotDirectory, snapshotFile } from "./take-snapshot.js";

/**
 * Returns the snapshot that an entry in the trash will have after it is restored. It has a hash only if that is of
 * the content: that of a directory or a huge file may change with the move.
 */
export async function snapshotKept(
  { directory, name }: EntryName,
  maxHeldBytes: number,
): Promise<Snapshot | undefined> {
  const stats = directory.lstat(name);
  if (stats === undefined) return undefined;
  const common = { mode: modeOf(stats), size: Number(stats.size), hash: "" };
  if (stats.isDirectory()) return { ...snapshotBelow({ directory, name }), hash: "" };
  if (stats.isFile()) return { ...common, ...(await snapshotContent({ directory, name }, maxHeldBytes)) };
  if (!stats.isSymbolicLink()) return { ...common, type: "other" };
  const target = readlinkSync(directory.at(name));
  return { ...common, type: "symlink", hash: `link:${target}`, target };
}

function snapshotBelow({ directory, name }: EntryName): Snapshot {
  const held = directory.openDirectory(name);
  try {
    return snapshotDirectory(name, held);
  } finally {
    held.close();
  }
}

async function snapshotContent(
  { directory, name }: EntryName,
  maxHeldBytes: number,
): Promise<Omit<Snapshot, "mode">> {
  const file = new OpenFile(name, directory.at(name));
  try {
    const snapshot = await snapshotFile(file, { maxHeldBytes });
    return snapshot.hash.startsWith("stat-") ? { ...snapshot, hash: "" } : snapshot;
  } finally {
    file.close();
  }
}
