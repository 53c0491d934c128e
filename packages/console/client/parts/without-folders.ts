import { changedPaths } from "@haft/agent";

/** Leaves out the folders that were made or removed only because of what is in them. */
export function withoutFolders<T extends { readonly path: string }>(changes: readonly T[]): readonly T[] {
  const paths = new Set(changedPaths(new Set(changes.map(({ path }) => path))));
  return changes.filter(({ path }) => paths.has(path));
}
