import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { errnoOf } from "../workspace/system-error.js";

/**
 * Returns whether a folder in a shared place belongs to us alone, and creates it if it is missing. Refuses a folder,
 * link or file that someone else created first or that others may enter.
 */
export function isPrivateFolder(path: string): boolean {
  const uid = process.geteuid?.();
  if (uid === undefined) return false;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    if (errnoOf(error) !== "EEXIST") return false;
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && isOwnAlone(stats, uid);
}

function isOwnAlone(stats: Stats, uid: number): boolean {
  return stats.isDirectory() && stats.uid === uid && (stats.mode & 0o777) === 0o700;
}
