import { lstatSync, mkdirSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { textIfReadable } from "../fs/if-readable.js";
import { errnoOf } from "../workspace/system-error.js";

const ITSELF = ".\n";

/**
 * The names in a repository that git takes programs and configuration from. A missing one is made for a run, so that it
 * can be mounted read-only; each of them as here changes nothing for git. `commondir` names the folder that holds the
 * configuration: "." is the repository itself.
 */
const FOLDERS: readonly string[] = ["hooks", "info", "modules", "worktrees"];
const FILES: Readonly<Record<string, string>> = { config: "", "config.worktree": "", commondir: ITSELF };

/** A linked working tree has `gitdir` as well. */
export const SEALED_NAMES: readonly string[] = [...FOLDERS, ...Object.keys(FILES), "gitdir"];

/** The paths of a repository that are made for a run where they are missing. */
export function sealPaths(repository: string): readonly string[] {
  return [...FOLDERS, ...Object.keys(FILES)].map((name) => `${repository}/${name}`);
}

/** Makes a missing name. What this process may not make, a command may not either. */
export function makeSeal(path: string): void {
  const name = basename(path);
  try {
    if (FOLDERS.includes(name)) mkdirSync(path);
    else writeFileSync(path, FILES[name] ?? "", { flag: "wx" });
  } catch (error) {
    if (!EXPECTED.has(errnoOf(error) ?? "")) throw error;
  }
}

const EXPECTED: ReadonlySet<string> = new Set(["EEXIST", "EACCES", "EPERM", "EROFS"]);

/** Removes the entries created for a run, but keeps those that the user's own git has created meanwhile. Returns planted entries. */
export function removeSeal(path: string): readonly string[] {
  const name = basename(path);
  if (name === "commondir") return removeCommonDirectory(path);
  try {
    if (FOLDERS.includes(name)) rmdirSync(path);
    else if (lstatSync(path).size === 0) unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
  return [];
}

/** Git creates no such file there, so one with other content was planted. */
function removeCommonDirectory(path: string): readonly string[] {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
  const isOurs = textIfReadable(path) === ITSELF;
  rmSync(path, { recursive: true, force: true });
  return isOurs ? [] : [path];
}
