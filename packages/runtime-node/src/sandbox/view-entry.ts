import { closeSync, constants, lstatSync, openSync, readdirSync, readFileSync, type Stats } from "node:fs";

export function namesIn(directory: string): readonly string[] {
  return readdirSync(directory).sort();
}

/** Links not followed. */
export function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Not through a link, should one have come to stand there. */
export function readWhole(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function isSame(path: string, before: Stats, bytes: Buffer): boolean {
  return before.size === bytes.length && readWhole(path).equals(bytes);
}
