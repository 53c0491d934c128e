import type { SkipLedger } from "../walk/skip-ledger.js";
import type { WalkOptions } from "../walk/walk-options.js";
import type { FolderSource } from "./folder-view.js";
import { HeldPaths } from "./held-paths.js";
import type { PathGuard } from "./path-guard.js";
import { viewOf } from "./read-folder.js";
import { TreeWalker } from "./tree-walker.js";

export interface FileList {
  /** Relative to the root, in no particular order. */
  readonly files: string[];
  readonly skipped: SkipLedger;
  readonly incomplete: boolean;
}

/** Lists all files of a walk at once: about 40 ms for 40,000 files. Throws PatternError for an invalid glob. */
export function listFiles(root: string, options: WalkOptions, guard?: PathGuard): FileList {
  const mayOpen = (path: string) => guard?.mayOpen(path) ?? true;
  const held = new HeldPaths(root);
  try {
    const walker = new TreeWalker({ folders: FOLDERS, held, options, mayOpen });
    const files: string[] = [];
    while (walker.step(files));
    return { files, skipped: walker.ledger, incomplete: walker.exhausted };
  } finally {
    held.release();
  }
}

const FOLDERS: FolderSource = { read: (path, held) => viewOf(held.hold(path), path) };
