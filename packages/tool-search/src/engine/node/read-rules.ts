import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { MAX_IGNORE_FILE_BYTES } from "@haft/text/path-rules";

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The text of an ignore file. A link, a pipe, a device or an unreadable file simply holds no rules; none is waited for. */
export function readRules(path: string): string | undefined {
  try {
    // Asked before it is opened too: opening a device may already do something.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const descriptor = openSync(path, FLAGS);
    try {
      return textOf(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Absent, or not ours to read: it rules nothing.
    return undefined;
  }
}

function textOf(descriptor: number): string | undefined {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return undefined;
  const bytes = Buffer.alloc(Math.min(stats.size, MAX_IGNORE_FILE_BYTES));
  let length = 0;
  while (length < bytes.length) {
    const more = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (more === 0) break;
    length += more;
  }
  return bytes.toString("utf8", 0, length);
}
