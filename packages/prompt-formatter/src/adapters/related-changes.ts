import type { ChangeSummary } from "@haft/core";
import { isInside } from "@haft/core/workspace";

/** Returns whether two calls change the same file, or one changes a folder that contains a file of the other. */
export function areRelated(changes: readonly ChangeSummary[], others: readonly ChangeSummary[]): boolean {
  const otherPaths = others.flatMap(pathsIn);
  return changes
    .flatMap(pathsIn)
    .some((path) => otherPaths.some((other) => isInside(path, other) || isInside(other, path)));
}

function pathsIn({ path, from }: ChangeSummary): readonly string[] {
  return from === undefined ? [path] : [path, from];
}
