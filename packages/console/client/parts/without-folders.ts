import { changedPaths } from "@haft/agent";

/** Omits folders that were created or removed only because of their content. */
export function withoutFolders<T extends { readonly path: string }>(changes: readonly T[]): readonly T[] {
  const paths = new Set(changedPaths(new Set(changes.map(({ path }) => path))));
  return changes.filter(({ path }) => paths.has(path));
}
