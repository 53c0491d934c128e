import { joinPath, parentPath, ToolError } from "@haft/core";
import { nearestNames } from "@haft/text";
import { showPath } from "./path-error.js";
import type { PathGuard } from "./path-guard.js";
import type { Place } from "./walk-inside.js";

export interface Missing {
  readonly given: string;
  readonly place: Place;
  readonly guard: PathGuard;
}

/** Says that nothing is there, and what is there that may have been meant (`details.nearest`, best first). */
export function fileNotFound(missing: Missing): ToolError {
  const near = nearest(missing);
  const [best] = near;
  return new ToolError("FILE_NOT_FOUND", `File not found: ${showPath(missing.given)}`, {
    ...didYouMean(near),
    next: best === undefined ? undefined : { tool: "read_file", args: { path: best } },
  });
}

export function directoryNotFound(missing: Missing): ToolError {
  return new ToolError("PATH_NOT_FOUND", `Directory not found: ${showPath(missing.given)}`, {
    ...didYouMean(nearest(missing)),
  });
}

function didYouMean(near: readonly string[]): { hint?: string; details?: { nearest: readonly string[] } } {
  if (near.length === 0) return {};
  return { hint: `Did you mean ${near.map(showPath).join(", ")}?`, details: { nearest: near } };
}

/**
 * Up to three paths like the given one and in its form: where a name is missing in the deepest directory
 * that exists, one that is much like it. Where directories are missing below that, only if they are there.
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

/** Whether the rest of the path exists below another directory; links are not followed for a suggestion. */
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
    // A suggestion is a courtesy: whatever keeps the directory from being looked into is not the caller's error.
    return false;
  } finally {
    for (const each of held) each.close();
  }
}

/** Whoever gave an absolute path gets one back. */
function inFormOf(given: string, missing: string, found: string): string {
  return given.startsWith("/") && given.endsWith(`/${missing}`)
    ? given.slice(0, given.length - missing.length) + found
    : found;
}

const MAX_SUGGESTIONS = 3;
const MAX_CANDIDATES = 2_000;
