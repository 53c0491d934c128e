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

/** Says that nothing is there, and what is there that may have been meant. */
export function fileNotFound(missing: Missing): ToolError {
  const near = nearest(missing);
  const best = near[0];
  return new ToolError("FILE_NOT_FOUND", `File not found: ${showPath(missing.given)}`, {
    ...didYouMean(near),
    next:
      best === undefined || missing.place.rest.length > 1
        ? undefined
        : { tool: "read_file", args: { path: best } },
  });
}

export function directoryNotFound(missing: Missing): ToolError {
  const near = nearest(missing);
  return new ToolError("PATH_NOT_FOUND", `Directory not found: ${showPath(missing.given)}`, didYouMean(near));
}

function didYouMean(near: readonly string[]): { hint: string | undefined } {
  return { hint: near.length === 0 ? undefined : `Did you mean ${near.map(showPath).join(", ")}?` };
}

/** Up to three entries of the deepest directory that exists, named much like what is missing in it. */
function nearest({ place, guard }: Missing): string[] {
  const wanted = place.rest[0];
  if (wanted === undefined) return [];
  const parent = place.rest.reduce((path) => parentPath(path), place.path);
  const names = place.directory.names().slice(0, MAX_CANDIDATES);
  const shown = names.filter((name) => {
    const path = joinPath(parent, name);
    return !guard.isHidden(path) && !guard.isSensitive(path);
  });
  return nearestNames(wanted, shown, MAX_SUGGESTIONS).map((name) => joinPath(parent, name));
}

const MAX_SUGGESTIONS = 3;
const MAX_CANDIDATES = 2_000;
