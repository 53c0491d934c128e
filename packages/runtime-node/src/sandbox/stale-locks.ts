import { lstatSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIfReadable, textIfReadable } from "../fs/if-readable.js";
import { isBelow } from "../fs/is-below.js";

/** When a run of a killed host may have created a lock. */
interface KilledRun {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/**
 * Removes the lock files that git left in a repository when its box was killed with the host. Git refuses to work while
 * one exists. A lock of another time belongs to someone else, and so may any while git runs there.
 */
export function removeStaleLocks(repository: string, { startedAtMs, endedAtMs }: KilledRun): void {
  if (isInUse(repository)) return;
  for (const folder of [repository, join(repository, "refs/heads")])
    for (const path of locksIn(folder)) {
      const { mtimeMs = 0 } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
      if (mtimeMs >= startedAtMs && mtimeMs <= endedAtMs) rmSync(path, { force: true });
    }
}

function locksIn(folder: string): readonly string[] {
  try {
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
