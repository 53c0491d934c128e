import { ToolError } from "@haft/core";
import { invalidPath, notADirectory } from "@haft/core/workspace";
import { missingDirectory } from "./not-found.js";
import type { Gatekeepers } from "./open-inside.js";
import type { Place } from "./walk-inside.js";

/** Throws unless a path resolved to a directory whose names may be listed. */
export function assertDirectory({ guard, jail }: Gatekeepers, place: Place, given: string): void {
  if (guard.isHidden(place.path)) throw invalidPath(given, "is reserved");
  if (place.rest.length === 0) {
    jail.assertOrdinary(place.directory.stat(), { path: place.directory.self, given });
    return;
  }
  if (place.stats === undefined) throw missingDirectory({ given, place, guard });
  throw notADirectory(given);
}

/** Returns undefined if the entry does not exist, including below a file. */
export async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (ToolError.is(thrown) && ABSENT.has(thrown.code)) return undefined;
    throw thrown;
  }
}

const ABSENT: ReadonlySet<string> = new Set(["FILE_NOT_FOUND", "PATH_NOT_FOUND", "NOT_A_DIRECTORY"]);
