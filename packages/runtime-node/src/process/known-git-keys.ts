import { type BigIntStats, lstatSync } from "node:fs";
import { posix } from "node:path";

/**
 * Remembers the names of a repository's settings while its configuration stays the same. Settings that come from other
 * files are asked for each time.
 */
export class KnownGitKeys {
  readonly #root: string;
  readonly #known = new Map<string, { readonly mark: string; readonly keys: readonly string[] }>();

  constructor(root: string) {
    this.#root = root;
  }

  async of(
    directory: string,
    ask: () => Promise<readonly string[] | undefined>,
  ): Promise<readonly string[] | undefined> {
    const repository = this.#repositoryOf(directory);
    const mark = repository === undefined ? undefined : markOf(repository);
    if (repository === undefined || mark === undefined) return ask();
    const known = this.#known.get(repository);
    if (known?.mark === mark) return known.keys;
    const keys = await ask();
    if (keys !== undefined && !keys.some((key) => /^include/i.test(key)))
      this.#known.set(repository, { mark, keys });
    return keys;
  }

  /** Returns the folder of the repository that git finds from a directory, if it is a plain one in the workspace. */
  #repositoryOf(directory: string): string | undefined {
    for (let at = directory; ; at = posix.dirname(at)) {
      const stats = lstatSync(`${at}/.git`, { throwIfNoEntry: false });
      if (stats !== undefined) return stats.isDirectory() ? `${at}/.git` : undefined;
      if (at === this.#root || at === "/") return undefined;
    }
  }
}

/** Differs after any change to the configuration. Undefined where git reads it elsewhere, or it has just changed. */
function markOf(repository: string): string | undefined {
  const [config, ...others] = ["config", "config.worktree", "commondir"].map((name) =>
    lstatSync(`${repository}/${name}`, { throwIfNoEntry: false, bigint: true }),
  );
  const [worktree, commondir] = others;
  if (config === undefined || commondir !== undefined) return undefined;
  const files = worktree === undefined ? [config] : [config, worktree];
  return files.every(isSettled) ? files.map(versionOf).join(" ") : undefined;
}

/** Within one tick of the disk's clock a file can change without a trace. */
function isSettled(stats: BigIntStats): boolean {
  return stats.isFile() && Date.now() - Number(stats.ctimeMs) > SETTLED_MS;
}

const SETTLED_MS = 3_000;

function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}
