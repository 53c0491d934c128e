import type { ToolError } from "@haft/core";
import { directoryNotFound, fileNotFound, joinPath, parentPath } from "@haft/core/workspace";
import { nearestNames } from "@haft/text";
import type { PathGuard } from "./path-guard.js";
import type { Place } from "./walk-inside.js";

export interface Missing {
  readonly given: string;
  readonly place: Place;
  readonly guard: PathGuard;
}

/** Creates the error for a missing file, with similar existing paths. */
export function missingFile(missing: Missing): ToolError {
  return fileNotFound(missing.given, nearest(missing));
}

/** Creates the error for a missing directory, with similar existing paths. */
export function missingDirectory(missing: Missing): ToolError {
  return directoryNotFound(missing.given, nearest(missing));
}

/**
 * Returns up to three similar paths in the form of the given one: a similar name in the deepest existing directory.
 * If directories are missing below that, only names that contain them.
 */
function nearest({ given, place, guard }: Missing): readonly string[] {
  const [wanted, ...below] = place.rest;
  if (wanted === undefined) return [];
  const parent = place.rest.reduce((path) => parentPath(path), place.path);
  const names = place.directory.names().slice(0, MAX_CANDIDATES);
  const shown = names.filter((name) => {
    const path = joinPath(parent, name);
    return !guard.isHidden(path) && !guard.isSensitive(path);
  });
  const similar = nearestNames(wanted, shown, MAX_SUGGESTIONS);
  const found = similar.filter((name) => below.length === 0 || leadsOn(place, name, below));
  return found.map((name) => inFormOf(given, place.path, [joinPath(parent, name), ...below].join("/")));
}

/** Returns whether the rest of the path exists below another directory, without following links. */
function leadsOn(place: Place, name: string, below: readonly string[]): boolean {
  let directory = place.directory;
  const held: (typeof directory)[] = [];
  try {
    for (const next of [name, ...below.slice(0, -1)]) {
      directory = directory.openDirectory(next);
      held.push(directory);
    }
    return directory.lstat(below.at(-1) ?? "") !== undefined;
  } catch {
    // A suggestion is optional: a directory that cannot be read is not the caller's error.
    return false;
  } finally {
    for (const each of held) each.close();
  }
}

/** Returns an absolute path if the caller gave one. */
function inFormOf(given: string, missing: string, found: string): string {
  return given.startsWith("/") && given.endsWith(`/${missing}`)
    ? given.slice(0, given.length - missing.length) + found
    : found;
}

const MAX_SUGGESTIONS = 3;
const MAX_CANDIDATES = 2_000;
