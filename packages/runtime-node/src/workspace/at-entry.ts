import { baseName, parentPath, ToolError } from "@haft/core";
import type { EntryName } from "./copy-entry.js";
import { showPath } from "./path-error.js";
import type { PathJail } from "./path-jail.js";

/**
 * Hands out the entry at a located path: its parent held, and its name. Links on the way were
 * resolved when it was located, so one that is there now, or a parent that is gone, means that
 * somebody else was at work.
 */
export function atEntry<T>(
  jail: PathJail,
  path: string,
  use: (entry: EntryName) => Promise<T> | T,
): Promise<T> {
  const parent = parentPath(path);
  return jail.visit(parent, { given: path, links: "refuse" }, ({ directory, rest }) => {
    if (rest.length > 0) throw stale(path, `The directory of ${showPath(path)} is gone`);
    return use({ directory, name: baseName(path) });
  });
}

/** A path is not what it was when the change was rehearsed. */
export function stale(path: string, message: string, details: StaleDetails = {}): ToolError {
  return new ToolError("STALE_FILE", message, {
    hint: "Nothing was changed. Read it again, then repeat the change on what is there now.",
    details: { path, ...details },
    next: { tool: "read_file", args: { path } },
  });
}

export interface StaleDetails {
  readonly expectedHash?: string | undefined;
  readonly currentHash?: string | undefined;
}
