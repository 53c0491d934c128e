import type { BigIntStats } from "node:fs";
import { ToolError } from "@haft/core";
import {
  baseName,
  type FileChange,
  isInside,
  isModeChange,
  type NewState,
  Pace,
  parentPath,
} from "@haft/core/workspace";
import type { EntryName } from "./copy-entry.js";
import { modeOf } from "./entry-of.js";
import type { PathJail } from "./path-jail.js";
import { removeEntry } from "./remove-entry.js";
import { tempName } from "./temp-name.js";
import type { Place } from "./walk-inside.js";
import { writeNewFile } from "./write-new-file.js";

/** New content already on disk under a temporary name. */
export interface StagedFile {
  /** The workspace path of its directory. */
  readonly directory: string;
  readonly name: string;
}

interface Staging {
  readonly jail: PathJail;
  readonly newFileMode: number;
}

/**
 * Writes the content of all changes to disk before the first is applied: a full disk is detected before anything
 * happens, and applying is only renaming. A staged file waits in the target's directory. If the same list creates, moves or
 * deletes that directory, it waits in the nearest parent that stays.
 */
export async function stageFiles(
  staging: Staging,
  changes: readonly FileChange[],
): Promise<ReadonlyMap<FileChange, StagedFile>> {
  const staged = new Map<FileChange, StagedFile>();
  const changing = changes.flatMap(changingPaths);
  try {
    const pace = new Pace();
    for (const change of changes) {
      await pace.breathe();
      if (!("after" in change) || change.after.type !== "file") continue;
      const directory = stableDirectory(change.path, changing);
      staged.set(change, await stageFile(staging, { ...change, after: change.after }, directory));
    }
    return staged;
  } catch (thrown) {
    await unstage(staging.jail, staged.values());
    throw thrown;
  }
}

/** Removes unused staged files. Ignores path errors, so they do not hide the original failure. */
export async function unstage(jail: PathJail, staged: Iterable<StagedFile>): Promise<void> {
  for (const file of staged) {
    try {
      await atStaged(jail, file, removeEntry);
    } catch (thrown) {
      if (!ToolError.is(thrown)) throw thrown;
    }
  }
}

/** Passes a staged file to a callback, with its directory held. */
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
    const content = after.parts ?? [after.bytes];
    const { modifiedMs } = after;
    await writeNewFile(place.directory, name, { content, mode, owner: old, modifiedMs });
    return { directory: existingPart(place), name };
  });
}

interface FileToStage {
  readonly path: string;
  readonly kind: FileChange["kind"];
  readonly after: NewState & { readonly type: "file" };
}

/** Returns undefined if an earlier change of the list creates the file. */
async function statsAt(jail: PathJail, path: string): Promise<BigIntStats | undefined> {
  const options = { follow: "entry", links: "refuse" } as const;
  return jail.visit(path, options, ({ stats }) => (stats?.isFile() ? stats : undefined));
}

function changingPaths(change: FileChange): readonly string[] {
  if (change.kind === "delete" || isModeChange(change)) return [change.path];
  return change.kind === "move" ? [change.from, change.path] : [];
}

function stableDirectory(path: string, changing: readonly string[]): string {
  let directory = parentPath(path);
  while (directory !== "" && changing.some((each) => isInside(directory, each)))
    directory = parentPath(directory);
  return directory;
}

function existingPart(place: Place): string {
  return place.rest.reduce((path) => parentPath(path), place.path);
}
