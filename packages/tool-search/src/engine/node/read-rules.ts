import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { cutIgnoreText, MAX_IGNORE_FILE_BYTES } from "@haft/text/path-rules";

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Returns the text of an ignore file. A link, a pipe, a device or an unreadable file has no rules and never blocks.
 */
export function readRules(path: string): string | undefined {
  try {
    // Checked before opening: opening a device may already have an effect.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const descriptor = openSync(path, FLAGS);
    try {
      return textOf(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Missing or unreadable: no rules.
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
  const text = bytes.toString("utf8", 0, length);
  return stats.size > MAX_IGNORE_FILE_BYTES ? cutIgnoreText(text) : text;
}
