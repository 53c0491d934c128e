import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isBelow } from "../fs/is-below.js";

/** The git data of a linked working tree; both folders are outside it. */
export interface LinkedWorktree {
  /** Holds the data of this working tree: its index, its HEAD. */
  readonly gitDirectory: string;
  /** Holds the data shared with the main repository. */
  readonly commonDirectory: string;
}

/**
 * Returns the repository of a workspace created by `git worktree add`, or undefined. A `.git` file can name any
 * repository, so the repository must name the workspace in turn: only its owner can have done that.
 */
export function linkedWorktree(root: string): LinkedWorktree | undefined {
  try {
    const stats = lstatSync(join(root, ".git"));
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    const [, named] = /^gitdir: (.+)\n?$/.exec(readFileSync(join(root, ".git"), "utf8")) ?? [];
    if (named === undefined) return undefined;
    const gitDirectory = realpathSync(resolve(root, named));
    const commonDirectory = realpathSync(resolve(gitDirectory, firstLine(join(gitDirectory, "commondir"))));
    const back = resolve(gitDirectory, firstLine(join(gitDirectory, "gitdir")));
    const isNamed = basename(back) === ".git" && realpathSync(dirname(back)) === realpathSync(root);
    const isOfRepository = dirname(gitDirectory) === join(commonDirectory, "worktrees");
    const isOutside = !isBelow(root, commonDirectory) && !isBelow(commonDirectory, root);
    return isNamed && isOfRepository && isOutside ? { gitDirectory, commonDirectory } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the folder with the index of the workspace's own repository. */
export function gitDirectoryOf(root: string): string {
  return linkedWorktree(root)?.gitDirectory ?? join(root, ".git");
}

const MAX_BYTES = 4096;

function firstLine(file: string): string {
  return readFileSync(file, "utf8").replace(/\n$/, "");
}
