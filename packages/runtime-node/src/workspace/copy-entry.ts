import { chmodSync, mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { ToolError } from "@haft/core";
import { modeOf, statOf } from "./entry-of.js";
import type { HeldDirectory } from "./held-directory.js";
import { OpenFile } from "./open-file.js";
import { showPath } from "./path-error.js";
import { removeEntry } from "./remove-entry.js";
import { writeNewFile } from "./write-new-file.js";

export interface EntryName {
  readonly directory: HeldDirectory;
  readonly name: string;
}

/** Copies a file, link or whole directory to a name that is free; on failure nothing is left there. */
export async function copyEntry(from: EntryName, to: EntryName): Promise<void> {
  try {
    await copyAny(from, to);
  } catch (thrown) {
    removeEntry(to);
    throw thrown;
  }
}

async function copyAny(from: EntryName, to: EntryName): Promise<void> {
  const stats = from.directory.lstat(from.name);
  const destination = to.directory.at(to.name);
  if (stats?.isSymbolicLink()) symlinkSync(readlinkSync(from.directory.at(from.name)), destination);
  else if (stats?.isDirectory()) await copyDirectory(from, to, modeOf(stats));
  else if (stats?.isFile()) await copyFile(from, to);
  else throw new ToolError("NOT_A_FILE", `${showPath(from.name)} cannot be copied to another disk`);
}

async function copyFile(from: EntryName, to: EntryName): Promise<void> {
  const file = new OpenFile(from.name, from.directory.at(from.name));
  try {
    const { mode, modifiedMs } = statOf(from.name, file.stats);
    await writeNewFile(to.directory, to.name, {
      content: file.chunks(),
      mode,
      modifiedMs,
      owner: file.stats,
    });
  } finally {
    file.close();
  }
}

async function copyDirectory(from: EntryName, to: EntryName, mode: number): Promise<void> {
  mkdirSync(to.directory.at(to.name), 0o700);
  const source = from.directory.openDirectory(from.name);
  const copy = to.directory.openDirectory(to.name);
  try {
    for (const name of source.names()) await copyAny({ directory: source, name }, { directory: copy, name });
    await copy.sync();
  } finally {
    source.close();
    copy.close();
  }
  chmodSync(to.directory.at(to.name), mode);
}
