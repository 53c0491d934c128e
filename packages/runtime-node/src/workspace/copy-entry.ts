import type { BigIntStats } from "node:fs";
import { chmodSync, chownSync, lutimesSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { ToolError } from "@haft/core";
import { showPath } from "@haft/core/workspace";
import type { FileName, HeldDirectory } from "./held-directory.js";
import { OpenFile } from "./open-file.js";
import { removeEntry } from "./remove-entry.js";
import { errnoOf } from "./system-error.js";
import { writeNewFile } from "./write-new-file.js";

export interface EntryName<Name extends FileName = string> {
  readonly directory: HeldDirectory;
  readonly name: Name;
}

/** Copies a file, link or whole directory to a free name. Leaves nothing there on failure. */
export async function copyEntry(from: EntryName, to: EntryName): Promise<void> {
  try {
    await copyAny(from, to);
  } catch (thrown) {
    removeEntry(to);
    throw thrown;
  }
}

/** Preserves permissions, owner and times, including those of directories. */
async function copyAny(from: EntryName<FileName>, to: EntryName<FileName>): Promise<void> {
  const stats = from.directory.lstat(from.name);
  if (stats?.isSymbolicLink()) copyLink(from, to, stats);
  else if (stats?.isDirectory()) await copyDirectory(from, to, stats);
  else if (stats?.isFile()) await copyFile(from, to);
  else throw new ToolError("NOT_A_FILE", `${showPath(String(from.name))} cannot be copied to another disk`);
}

/** Copies a link as bytes: its target need not be text. */
function copyLink(from: EntryName<FileName>, to: EntryName<FileName>, stats: BigIntStats): void {
  const place = to.directory.at(to.name);
  symlinkSync(readlinkSync(from.directory.at(from.name), { encoding: "buffer" }), place);
  lutimesSync(place, secondsOf(stats), secondsOf(stats));
}

async function copyFile(from: EntryName<FileName>, to: EntryName<FileName>): Promise<void> {
  const file = new OpenFile(String(from.name), from.directory.at(from.name));
  try {
    const { stats } = file;
    await writeNewFile(to.directory, to.name, {
      content: file.chunks(),
      mode: allModeBits(stats),
      modifiedMs: secondsOf(stats) * 1000,
      owner: stats,
    });
  } finally {
    file.close();
  }
}

async function copyDirectory(
  from: EntryName<FileName>,
  to: EntryName<FileName>,
  stats: BigIntStats,
): Promise<void> {
  const place = to.directory.at(to.name);
  mkdirSync(place, 0o700);
  const source = from.directory.openDirectory(from.name);
  const copy = to.directory.openDirectory(to.name);
  try {
    for (const name of source.allNames())
      await copyAny({ directory: source, name }, { directory: copy, name });
    await copy.sync();
  } finally {
    source.close();
    copy.close();
  }
  giveTo(place, stats);
  chmodSync(place, allModeBits(stats));
  lutimesSync(place, secondsOf(stats), secondsOf(stats));
}

/** Only root may change the owner, so a refusal is ignored: the content matters. */
function giveTo(place: string | Buffer, { uid, gid }: BigIntStats): void {
  try {
    chownSync(place, Number(uid), Number(gid));
  } catch (thrown) {
    if (errnoOf(thrown) !== "EPERM" && errnoOf(thrown) !== "EINVAL") throw thrown;
  }
}

function allModeBits({ mode }: BigIntStats): number {
  return Number(mode & 0o7777n);
}

/** Adds half a microsecond: Node truncates to whole ones, so each copy could be one older than the last. */
function secondsOf({ mtimeNs }: BigIntStats): number {
  return (Number(mtimeNs / 1_000n) + 0.5) / 1_000_000;
}
