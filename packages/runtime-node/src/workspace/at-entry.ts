import { ToolError } from "@haft/core";
import { baseName, parentPath, showPath } from "@haft/core/workspace";
import type { EntryName } from "./copy-entry.js";
import type { PathJail } from "./path-jail.js";

/**
 * Passes the entry at a located path to a callback, as its held parent and its name. Locating it
 * resolved all links, so a link found now, or a missing parent, means that another process
 * changed the tree.
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

/** The error for a path that changed after the change was rehearsed. */
export function stale(path: string, message: string, details: StaleDetails = {}): ToolError {
  return new ToolError("STALE_FILE", message, {
    hint: "Nothing was changed. Read it again, then repeat the change on what is there now.",
    details: { path, ...details },
    next: { tool: "read_file", args: { path } },
  });
}

interface StaleDetails {
  readonly expectedHash?: string | undefined;
  readonly currentHash?: string | undefined;
}
