import { lstatSync, readdirSync } from "node:fs";

/**
 * A hard link gives a sensitive file a harmless name. Only a file with several names is looked at: it is a secret when one
 * of them is sensitive and stands beside it or in a folder above it. Asked about what is about to be shown, not about
 * everything that is searched, so that it costs nothing where there is nothing to hide.
 */
export class SecretLinks {
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly root: string,
    private readonly mayOpen: (path: string) => boolean,
  ) {}

  isSecret(path: string): boolean {
    const key = this.linkedInode(path);
    if (key === undefined) return false;
    const parts = path.split("/");
    return parts.some((_, depth) => this.secretsIn(parts.slice(0, depth).join("/")).has(key));
  }

  private secretsIn(folder: string): ReadonlySet<string> {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const name of namesIn(`${this.root}/${folder}`)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const key = this.mayOpen(path) ? undefined : this.linkedInode(path);
      if (key !== undefined) found.add(key);
    }
    this.known.set(folder, found);
    return found;
  }

  /** Undefined for a file that has one name only, and for what is no file. */
  private linkedInode(path: string): string | undefined {
    const stats = lstatSync(`${this.root}/${path}`, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() && stats.nlink > 1n ? `${stats.dev}:${stats.ino}` : undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Gone, or not ours to read: nothing in it was seen.
    return [];
  }
}
