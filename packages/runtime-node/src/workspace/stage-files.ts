import { type FileChange, parentPath } from "@haft/core";
import type { EntryName } from "./copy-entry.js";
import { modeOf } from "./entry-of.js";
import type { PathJail } from "./path-jail.js";
import { removeEntry } from "./remove-entry.js";
import { tempName } from "./temp-name.js";
import type { Place } from "./walk-inside.js";
import { writeNewFile } from "./write-new-file.js";

/** New content that is on the disk already, under a temporary name. */
export interface StagedFile {
  /** The workspace path of the directory that holds it. */
  readonly directory: string;
  readonly name: string;
}

export interface Staging {
  readonly jail: PathJail;
  readonly newFileMode: number;
}

/**
 * Writes the content of all changes to the disk before the first of them is applied: a full disk
 * is found out while nothing has happened yet, and what follows is only renaming. A file whose
 * directory the same list makes waits in the deepest directory that is there.
 */
export async function stageFiles(
  staging: Staging,
  changes: readonly FileChange[],
): Promise<ReadonlyMap<FileChange, StagedFile>> {
  const staged = new Map<FileChange, StagedFile>();
  try {
    for (const change of changes) {
      if ((change.kind !== "create" && change.kind !== "modify") || change.after.type !== "file") continue;
      staged.set(change, await stageFile(staging, change));
    }
    return staged;
  } catch (thrown) {
    await unstage(staging.jail, staged.values());
    throw thrown;
  }
}

/** Takes away what was staged and not used. */
export async function unstage(jail: PathJail, staged: Iterable<StagedFile>): Promise<void> {
  for (const file of staged) await atStaged(jail, file, removeEntry);
}

/** Hands out a staged file, its directory held. */
export function atStaged<T>(
  jail: PathJail,
  { directory: path, name }: StagedFile,
  use: (entry: EntryName) => Promise<T> | T,
): Promise<T> {
  return jail.visit(path, { links: "refuse" }, ({ directory }) => use({ directory, name }));
}

async function stageFile({ jail, newFileMode }: Staging, change: FileChange): Promise<StagedFile> {
  return jail.visit(parentPath(change.path), { given: change.path, links: "refuse" }, async (place) => {
    if (!("after" in change) || change.after.type !== "file") throw new Error("Only files are staged");
    const name = change.path.slice(change.path.lastIndexOf("/") + 1);
    const temp = tempName(name, process.pid);
    const old = place.rest.length === 0 && change.kind === "modify" ? place.directory.lstat(name) : undefined;
    const mode = change.after.mode ?? (old === undefined ? newFileMode : modeOf(old));
    await writeNewFile(place.directory, temp, { content: [change.after.bytes], mode, owner: old });
    return { directory: existingPart(place), name: temp };
  });
}

function existingPart(place: Place): string {
  return place.rest.reduce((path) => parentPath(path), place.path);
}
