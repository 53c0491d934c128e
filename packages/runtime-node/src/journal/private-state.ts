import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { asToolError, isMissing } from "../workspace/system-error.js";
import { assertPrivatePath } from "./private-path.js";
import { type StateProblem, stateNotPrivate } from "./state-not-private.js";

/**
 * Ensures that a state folder belongs to this user and that no other user can write to it or replace it: grants and
 * approvals in it are trusted. A folder of this user that others can write is closed, with a warning, if
 * everything in it is this user's. Throws STATE_NOT_PRIVATE otherwise. Accepts a folder that does not exist.
 */
export function assertPrivateState(path: string): void {
  assertPrivatePath(path);
  const stats = statsOf(path);
  const own = process.getuid?.();
  if (stats === undefined || own === undefined) return;
  if (stats.uid !== own) throw stateNotPrivate(path, foreignOwner(stats.uid, own));
  if (!isWritableByOthers(stats)) return;
  const name = readdirSync(path).find((each) => !isOwnAlone(lstatSync(join(path, each)), own));
  if (name !== undefined) throw stateNotPrivate(path, planted(name, stats));
  chmodSync(path, 0o700);
  const mode = (stats.mode & 0o777).toString(8);
  process.emitWarning(
    `The state folder ${path} could be written by other users (mode ${mode}); it is now private (mode 700)`,
  );
}

function foreignOwner(uid: number, own: number): StateProblem {
  return {
    what: `belongs to another user (uid ${uid}; this process runs as uid ${own})`,
    advice: "Run as that user, or remove the folder",
  };
}

function planted(name: string, { mode }: Stats): StateProblem {
  return {
    what: `can be written by other users (mode ${(mode & 0o777).toString(8)}), and ${JSON.stringify(name)} in it is not yours alone`,
    advice: "Remove its contents, or the folder",
  };
}

function isOwnAlone(stats: Stats, own: number): boolean {
  return stats.uid === own && !isWritableByOthers(stats) && !stats.isSymbolicLink();
}

function isWritableByOthers({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw asToolError(thrown, path);
  }
}
