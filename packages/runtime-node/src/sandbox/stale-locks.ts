import { lstatSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIfReadable, textIfReadable } from "../fs/if-readable.js";
import { isBelow } from "../fs/is-below.js";

/** When a run may have created a lock. */
interface EndedRun {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/**
 * Removes the lock files that a killed git left in a repository: git refuses to work while one exists. A lock of another
 * time belongs to someone else, and so may any while git runs there.
 */
export function removeStaleLocks(repository: string, { startedAtMs, endedAtMs }: EndedRun): void {
  const stale = ["", "refs/heads"]
    .flatMap((inside) => locksIn(repository, inside))
    .filter((path) => {
      const { mtimeMs = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
      return mtimeMs >= startedAtMs && mtimeMs <= endedAtMs;
    });
  if (stale.length === 0 || isInUse(repository)) return;
  for (const path of stale) remove(path);
}

/** Never throws: the caller closes more after it, and git names a lock that stays. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its folder cannot be written.
  }
}

/** SECURITY: the run wrote to the repository. A link that it made must not lead the removal to other folders. */
function locksIn(repository: string, inside: string): readonly string[] {
  try {
    const folder = join(realpathSync(repository), inside);
    if (realpathSync(folder) !== folder) return [];
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((each) => each.isFile() && each.name.endsWith(".lock"))
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** Returns whether someone runs git in the folder that holds the repository. */
function isInUse(repository: string): boolean {
  return namesIfReadable("/proc").some(
    (pid) =>
      textIfReadable(`/proc/${pid}/comm`) === "git\n" && isBelow(dirname(repository), folderOf(pid) ?? "/"),
  );
}

function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
