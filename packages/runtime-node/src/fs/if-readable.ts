import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";

/** Returns the text of a file, or undefined if it is missing or unreadable. */
export function textIfReadable(file: string): string | undefined {
  return bytesIfReadable(file)?.toString("utf8");
}

/** Returns the content of a file, or undefined if it is missing or unreadable. Never waits for a pipe or a device. */
export function bytesIfReadable(file: string): Buffer | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Returns the names in a folder, or none if it is missing or unreadable. */
export function namesIfReadable(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
