import {
  closeSync,
  constants,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname } from "node:path";
import { errnoOf } from "../workspace/system-error.js";

export function namesIn(directory: string): readonly string[] {
  return readdirSync(directory).sort();
}

/** Returns the sorted names in a directory, or undefined if there are more than `count`; it then stops reading. */
export function namesUpTo(directory: string, count: number): readonly string[] | undefined {
  const names: string[] = [];
  const reading = opendirSync(directory, { bufferSize: 1024 });
  try {
    for (let entry = reading.readSync(); entry !== null; entry = reading.readSync())
      if (names.push(entry.name) > count) return undefined;
  } finally {
    reading.closeSync();
  }
  return names.sort();
}

/** Does not follow a link. Nothing is below a file: it may have become a folder in the view. */
export function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Does not follow a link that may have replaced the file. */
export function readWhole(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns whether the entry, together with others beside it, makes its folder a repository. */
export function completesRepository(path: string): boolean {
  const folder = dirname(path);
  return isRepositoryWith((name) => statsOf(`${folder}/${name}`) !== undefined, basename(path));
}

/**
 * Returns whether git takes a folder with these entries for a repository. With `completedBy`, only if that entry is one
 * of those that make it one.
 */
export function isRepositoryWith(has: (name: string) => boolean, completedBy?: string): boolean {
  const isPart = (parts: readonly string[]) => completedBy === undefined || parts.includes(completedBy);
  return REPOSITORIES.some((parts) => isPart(parts) && parts.every(has));
}

/** A repository of its own, and one that shares the folder named in `commondir`. */
const REPOSITORIES: readonly (readonly string[])[] = [
  ["HEAD", "objects", "refs"],
  ["HEAD", "commondir"],
];

export function isSame(path: string, before: Stats, bytes: Uint8Array): boolean {
  return before.size === bytes.length && readWhole(path).equals(bytes);
}
