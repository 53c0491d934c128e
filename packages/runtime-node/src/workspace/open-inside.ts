import type { BigIntStats } from "node:fs";
import { ToolError } from "@haft/core";
import { cannotReadDirectory, invalidPath, parentPath, showPath } from "@haft/core/workspace";
import { missingFile } from "./not-found.js";
import { OpenFile } from "./open-file.js";
import { type PathGuard, sensitive } from "./path-guard.js";
import type { PathJail } from "./path-jail.js";
import type { SecretInodes } from "./secret-inodes.js";
import { asToolError, errnoOf } from "./system-error.js";
import type { Place } from "./walk-inside.js";

/**
 * The parts that decide about a path: its resolution, its name, and files that must not be reached under another
 * name.
 */
export interface Gatekeepers {
  readonly jail: PathJail;
  readonly guard: PathGuard;
  readonly secrets: SecretInodes;
}

/** Opens a regular file for reading, by any path that leads to it inside the workspace. */
export function openInside(keepers: Gatekeepers, given: string): OpenFile {
  const path = keepers.jail.parse(given);
  keepers.guard.judge(path, given);
  for (let attempt = 1; ; attempt += 1) {
    const place = keepers.jail.walk(path, { given });
    try {
      return openPlace(keepers, place, given);
    } catch (thrown) {
      // The file became a link since the walk: another process is changing it, so try again.
      if (errnoOf(thrown) !== "ELOOP" || attempt === MAX_ATTEMPTS) throw asToolError(thrown, given);
    } finally {
      place.close();
    }
  }
}

/** Opens a file that was already resolved: checks the names, then what was opened. */
export function openPlace(keepers: Gatekeepers, place: Place, given: string): OpenFile {
  keepers.guard.judge(place.path, given);
  if (place.rest.length === 0) throw cannotReadDirectory(given);
  const name = place.rest[0] ?? "";
  if (place.stats === undefined) throw missingFile({ given, place, guard: keepers.guard });
  // A pipe or device is not even opened: opening one can already have an effect.
  assertRegular(place.stats, given);
  const file = new OpenFile(place.path, place.directory.at(name));
  try {
    assertRegular(file.stats, given);
    assertAllowed(keepers, file, { place, given });
    return file;
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

function assertAllowed(keepers: Gatekeepers, file: OpenFile, at: { place: Place; given: string }): void {
  const location = file.location();
  if (location !== undefined && !keepers.jail.encloses(location))
    throw invalidPath(at.given, "leads out of the workspace");
  keepers.jail.assertOrdinary(file.stats, { path: file.procPath, given: at.given });
  const beside = { path: parentPath(file.path), directory: at.place.directory };
  const inRoot = { path: "", directory: keepers.jail.directory };
  if (keepers.secrets.isSecret(file.stats, [beside, inRoot])) throw sensitive(at.given);
}

function assertRegular(stats: BigIntStats, given: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw cannotReadDirectory(given);
  throw new ToolError("NOT_A_FILE", `${showPath(given)} is not a regular file`, {
    hint: "Pipes, sockets and devices cannot be read.",
  });
}

const MAX_ATTEMPTS = 5;
