import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { asToolError, isMissing } from "../workspace/system-error.js";
import { isAloneInGroup } from "./alone-in-group.js";
import { stateNotPrivate } from "./state-not-private.js";

/**
 * Ensures that no other user can replace a state folder, as sshd does with StrictModes: every
 * folder and link on the way to it belongs to this user or to root, and others cannot write there, unless the folder is
 * sticky, as /tmp is. Throws STATE_NOT_PRIVATE otherwise. The folder itself is left to `assertPrivateState`.
 */
export function assertPrivatePath(path: string): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  // In a user namespace root may have no name: then whoever owns / administers the system.
  const trusted = new Set([own, ROOT, lstatSync("/").uid]);
  for (const [above, stats] of onTheWayTo(resolve(path))) {
    const problem = problemWith(above, stats, trusted);
    if (problem !== undefined)
      throw stateNotPrivate(path, {
        ...problem,
        what: `is not safe: ${above}, which holds it, ${problem.what}`,
      });
  }
}

const ROOT = 0;

/** The folders and links that lead to a path, as far as they exist, the folder at its end left out. */
function* onTheWayTo(path: string): Iterable<readonly [string, Stats]> {
  const rest = namesOf(path);
  let folder = "/";
  let links = 0;
  yield [folder, lstatSync(folder)];
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const next = join(folder, name);
    const stats = statsOf(next);
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) {
      yield [next, stats];
      links += 1;
      if (links > MAX_LINKS) throw asToolError(Object.assign(new Error(path), { code: "ELOOP" }), path);
      const target = readlinkSync(next);
      rest.unshift(...namesOf(target));
      if (isAbsolute(target)) folder = "/";
      continue;
    }
    if (!stats.isDirectory()) return;
    if (rest.length > 0) yield [next, stats];
    folder = next;
  }
}

// As many as Linux follows.
const MAX_LINKS = 40;

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw asToolError(thrown, path);
  }
}

function problemWith(path: string, stats: Stats, trusted: ReadonlySet<number>) {
  const { uid } = stats;
  if (stats.isSymbolicLink())
    return trusted.has(uid)
      ? undefined
      : { what: `is a link that another user made (uid ${uid})`, advice: "Remove the link" };
  if (!trusted.has(uid))
    return { what: `belongs to another user (uid ${uid})`, advice: "Make it your own with chown" };
  if (!isWritableByOthers(stats)) return undefined;
  const mode = (stats.mode & 0o777).toString(8);
  return { what: `can be written by other users (mode ${mode})`, advice: `Run chmod go-w ${path}` };
}

function isWritableByOthers({ mode, gid }: Stats): boolean {
  if ((mode & STICKY) !== 0) return false;
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isAloneInGroup(gid));
}

const STICKY = 0o1000;
