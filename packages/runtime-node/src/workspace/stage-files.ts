import type { BigIntStats } from "node:fs";
import { baseName, type FileChange, isInside, type NewState, parentPath, ToolError } from "@haft/core";
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
 * is found out while nothing has happened yet, and what follows is only renaming. A file waits in
 * its own directory; where the same list makes, moves or deletes that, in the nearest one above
 * that stays.
 */
export async function stageFiles(
  staging: Staging,
  changes: readonly FileChange[],
): Promise<ReadonlyMap<FileChange, StagedFile>> {
  const staged = new Map<FileChange, StagedFile>();
  const unsteady = changes.flatMap(unsteadyPaths);
  try {
    for (const change of changes) {
      if (!("after" in change) || change.after.type !== "file") continue;
      const directory = steadyDirectory(change.path, unsteady);
      staged.set(change, await stageFile(staging, { ...change, after: change.after }, directory));
    }
    return staged;
  } catch (thrown) {
    await unstage(staging.jail, staged.values());
    throw thrown;
  }
}

/** Takes away what was staged and not used. What cannot be reached any more must not hide the reason why. */
export async function unstage(jail: PathJail, staged: Iterable<StagedFile>): Promise<void> {
  for (const file of staged) {
    try {
      await atStaged(jail, file, removeEntry);
    } catch (thrown) {
      if (!ToolError.is(thrown)) throw thrown;
    }
  }
}

/** Hands out a staged file, its directory held. */
export function atStaged<T>(
  jail: PathJail,
  { directory: path, name }: StagedFile,
  use: (entry: EntryName) => Promise<T> | T,
): Promise<T> {
  return jail.visit(path, { links: "refuse" }, ({ directory }) => use({ directory, name }));
}

async function stageFile(
  { jail, newFileMode }: Staging,
  { path, kind, after }: FileToStage,
  directory: string,
): Promise<StagedFile> {
  const old = kind === "modify" ? await statsAt(jail, path) : undefined;
  const mode = after.mode ?? (old === undefined ? newFileMode : modeOf(old));
  const name = tempName(baseName(path), process.pid);
  return jail.visit(directory, { given: path, links: "refuse" }, async (place) => {
    await writeNewFile(place.directory, name, { content: after.parts ?? [after.bytes], mode, owner: old });
    return { directory: existingPart(place), name };
  });
}

interface FileToStage {
  readonly path: string;
  readonly kind: FileChange["kind"];
  readonly after: NewState & { readonly type: "file" };
}

/** Undefined when it is an earlier change of the list that makes the file. */
async function statsAt(jail: PathJail, path: string): Promise<BigIntStats | undefined> {
  const options = { follow: "entry", links: "refuse" } as const;
  return jail.visit(path, options, ({ stats }) => (stats?.isFile() ? stats : undefined));
}

function unsteadyPaths(change: FileChange): readonly string[] {
  if (change.kind === "delete") return [change.path];
  return change.kind === "move" ? [change.from, change.path] : [];
}

function steadyDirectory(path: string, unsteady: readonly string[]): string {
  let directory = parentPath(path);
  while (directory !== "" && unsteady.some((each) => isInside(directory, each)))
    directory = parentPath(directory);
  return directory;
}

function existingPart(place: Place): string {
  return place.rest.reduce((path) => parentPath(path), place.path);
}
