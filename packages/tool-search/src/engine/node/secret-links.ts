import { lstatSync, readdirSync } from "node:fs";
import type { HeldPaths } from "./held-paths.js";

/**
 * Detects sensitive files behind harmless hard links. Checks only files with several names: such a file is secret if
 * a sensitive name for it exists in the same folder or a folder above. Runs only on results about to be shown, so
 * ordinary searches pay nothing.
 */
export class SecretLinks {
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly paths: HeldPaths,
    private readonly mayOpen: (path: string) => boolean,
  ) {}

  isSecret(path: string): boolean {
    try {
      const key = this.linkedInode(path);
      return key !== undefined && foldersOf(path).some((folder) => this.secretsIn(folder).has(key));
    } catch {
      // A parent folder was removed or moved meanwhile: a file that cannot be checked is not shown.
      return true;
    }
  }

  private secretsIn(folder: string): ReadonlySet<string> {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const name of namesIn(this.paths.within(folder))) {
      const key = this.mayOpen(folder + name) ? undefined : this.linkedInode(folder + name);
      if (key !== undefined) found.add(key);
    }
    this.known.set(folder, found);
    return found;
  }

  /** Returns undefined for a file with one name, and for anything that is not a file. */
  private linkedInode(path: string): string | undefined {
    const stats = lstatSync(this.paths.to(path), { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() && stats.nlink > 1n ? `${stats.dev}:${stats.ino}` : undefined;
  }
}

/** Returns the folders from the root down to the path, each with a trailing slash. */
function foldersOf(path: string): string[] {
  return ["", ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Unreadable: none of its entries were seen.
    return [];
  }
}
