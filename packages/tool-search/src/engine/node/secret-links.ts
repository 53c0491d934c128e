import { lstatSync, readdirSync } from "node:fs";
import type { HeldPaths } from "./held-paths.js";

/**
 * A hard link gives a sensitive file a harmless name. Only a file with several names is looked at: it is a secret when one
 * of them is sensitive and stands beside it or in a folder above it. Asked about what is about to be shown, not about
 * everything that is searched, so that it costs nothing where there is nothing to hide.
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
      // A folder on the way is gone or somewhere else by now: what cannot be looked at is not shown.
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

  /** Undefined for a file that has one name only, and for what is no file. */
  private linkedInode(path: string): string | undefined {
    const stats = lstatSync(this.paths.to(path), { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() && stats.nlink > 1n ? `${stats.dev}:${stats.ino}` : undefined;
  }
}

/** From the root down to where the path is, each with a trailing slash. */
function foldersOf(path: string): string[] {
  return ["", ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not ours to read: nothing in it was seen.
    return [];
  }
}
