import {
  closeSync,
  constants,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
} from "node:fs";
import { basename, dirname } from "node:path";
import { errnoOf } from "../workspace/system-error.js";

export function namesIn(directory: string): readonly string[] {
  return readdirSync(directory).sort();
}

/** Returns the sorted names in a directory, or undefined if there are more than `count`; it then stops reading. */
export function namesUpTo(directory: string, count: number): readonly string[] | undefined {
  const names = [...firstNames(directory, count + 1)];
  return names.length > count ? undefined : names.sort();
}

/** Yields the first names in a directory, in its own order. */
export function* firstNames(
  directory: string,
  count: number,
  isWanted: (name: string) => boolean = () => true,
): Iterable<string> {
  const reading = opendirSync(directory, { bufferSize: 1024 });
  try {
    for (let left = count; left > 0; ) {
      const entry = reading.readSync();
      if (entry === null) return;
      if (!isWanted(entry.name)) continue;
      left -= 1;
      yield entry.name;
    }
  } finally {
    reading.closeSync();
  }
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
  const descriptor = openSync(path, OPEN_FILE);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Does not follow a link, and does not wait for a pipe. */
export const OPEN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Returns whether the entry, with others beside it, makes its folder a repository. */
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

/** Returns whether two files have the same content. Reads no more of them than it takes to tell. */
export function hasSameContent(one: string, other: string): boolean {
  const files: number[] = [];
  try {
    for (const path of [one, other]) files.push(openSync(path, OPEN_FILE));
    const [first = 0, second = 0] = files;
    const [before, after] = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)];
    for (let at = 0; ; at += CHUNK_BYTES) {
      const sizes = [
        readSync(first, before, 0, CHUNK_BYTES, at),
        readSync(second, after, 0, CHUNK_BYTES, at),
      ];
      if (sizes[0] !== sizes[1] || before.compare(after, 0, sizes[1], 0, sizes[0]) !== 0) return false;
      if (sizes[0] !== CHUNK_BYTES) return true;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}

const CHUNK_BYTES = 64 * 1024;
