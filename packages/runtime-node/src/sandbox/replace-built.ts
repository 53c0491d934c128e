import { renameSync } from "node:fs";
import { basename } from "node:path";
import { ToolError } from "@haft/core";
import { showPath } from "@haft/core/workspace";
import { copyEntry } from "../workspace/copy-entry.js";
import { HeldDirectory } from "../workspace/held-directory.js";
import { removeEntry } from "../workspace/remove-entry.js";
import { errnoOf } from "../workspace/system-error.js";
import { tempName, tempOwner } from "../workspace/temp-name.js";
import { openBelow } from "./hold-folder.js";
import { removeTree } from "./remove-tree.js";

interface BuiltFolders {
  readonly root: string;
  /** The view that has the new ones. */
  readonly view: string;
  readonly folders: readonly string[];
}

interface ReplacedFolders {
  readonly replaced: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Replaces build output with what a command left of it in its view, each folder as a whole. Records nothing of it: it
 * exceeds what one run may record. Returns the replaced folders, and warnings about the others. If this process is killed,
 * the next start runs `finishReplacing`.
 */
export async function replaceBuilt({ root, view, folders }: BuiltFolders): Promise<ReplacedFolders> {
  const replaced: string[] = [];
  const warnings: string[] = [];
  for (const path of folders) {
    const name = basename(path);
    const above = path.slice(0, -name.length - 1);
    // The view's own path is a link to a descriptor.
    const from = folderBelow(`${view}/.`, above);
    const to = folderBelow(root, above);
    const former = tempName(`${name}${FORMER}`, process.pid);
    try {
      if (from === undefined || to === undefined) continue;
      if (!(await isReplaced(from, to, { name, former }))) continue;
      // Before the removal, which can fail: the caller must inspect new entries.
      replaced.push(path);
      if (to.lstat(former) !== undefined) await removeTree(to.at(former));
    } catch (error) {
      const why = ToolError.is(error) ? error.message : errnoOf(error);
      if (why === undefined) throw error;
      warnings.push(`${showPath(path)} ${replaced.includes(path) ? NOT_REMOVED : NOT_REPLACED}: ${why}`);
    } finally {
      from?.close();
      to?.close();
    }
  }
  return { replaced, warnings };
}

const NOT_REPLACED = "was left as it is in the workspace";
const NOT_REMOVED = "was replaced, but its former content could not be removed";

/** Moves the former folder to the name `former`. */
async function isReplaced(
  from: HeldDirectory,
  to: HeldDirectory,
  { name, former }: { readonly name: string; readonly former: string },
): Promise<boolean> {
  const isBuilt = from.lstat(name)?.isDirectory() === true;
  const isThere = to.lstat(name)?.isDirectory() === true;
  // Something else took its place, there or here: that is a change like any other.
  if ((from.lstat(name) !== undefined) !== isBuilt || (to.lstat(name) !== undefined) !== isThere)
    return false;
  const made = tempName(`${name}${MADE}`, process.pid);
  if (isBuilt) {
    const part = tempName(name, process.pid);
    await copyEntry({ directory: from, name }, { directory: to, name: part });
    renameSync(to.at(part), to.at(made));
  }
  try {
    if (isThere) renameSync(to.at(name), to.at(former));
    if (isBuilt) renameSync(to.at(made), to.at(name));
  } catch (error) {
    // Another program has created or removed the folder meanwhile.
    removeEntry({ directory: to, name: made });
    if (to.lstat(name) === undefined && to.lstat(former) !== undefined)
      renameSync(to.at(former), to.at(name));
    throw error;
  }
  return true;
}

/** Marks a copy that is complete. */
const MADE = ".made";
/** Marks the folder that was replaced. It may be partly removed. */
const FORMER = ".former";

/** Completes what a killed process was replacing: each folder is there as a whole, the former or the new one. */
export function finishReplacing(root: string, folders: readonly string[], owner: number): void {
  for (const path of folders) {
    const name = basename(path);
    const at = folderBelow(root, path.slice(0, -name.length - 1));
    if (at === undefined) continue;
    try {
      const leftOf = (mark: string) => {
        const prefix = beforeMark(tempName(`${name}${mark}`, owner));
        return at.names().filter((each) => tempOwner(each) === owner && beforeMark(each) === prefix);
      };
      const [whole] = at.lstat(name) === undefined ? leftOf(MADE) : [];
      if (whole !== undefined) renameSync(at.at(whole), at.at(name));
      for (const each of ["", MADE, FORMER].flatMap(leftOf)) removeEntry({ directory: at, name: each });
    } finally {
      at.close();
    }
  }
}

function beforeMark(temporary: string): string {
  return temporary.slice(0, temporary.lastIndexOf(".haft-"));
}

function folderBelow(root: string, path: string): HeldDirectory | undefined {
  try {
    if (path === "") return HeldDirectory.open(root);
    return openBelow(root, { path, name: basename(path), above: undefined });
  } catch {
    return undefined;
  }
}
